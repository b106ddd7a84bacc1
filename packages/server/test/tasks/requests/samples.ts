import { freshRoom } from '../../rooms/fresh-room.ts'
import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'

const csv = [
  'Request,section,kind,due_at',
  'Send the tax returns of the last three years,Financial,,2027-01-31',
  '"Why does the seller sell, and why now?",Sale,question,2027-01-31T17:00:00-05:00',
]

/** A Room that all members may edit, with a CSV File of requests. */
async function roomWithList(world: World) {
  const room_id = await freshRoom(world)
  const { file } = await world.us.createTextFile({
    name: 'Requests.csv',
    format: 'csv',
    content: csv.join('\r\n'),
    room_id,
  })
  return { room_id, file_id: file.file_id, mapping: { title: 'Request' } }
}

export const samples = {
  create_room_requests: {
    input: roomWithList,
    others: {
      'from a template, all assigned to one member': async world => ({
        room_id: await freshRoom(world),
        template: 'small_business_purchase',
        assignee_user_id: world.people.admin.user_id,
        due_at: '2027-01-31T17:00:00Z',
      }),
    },
    readBack: false,
  },
  get_request_progress: {
    input: async world => {
      const room_id = await freshRoom(world)
      await world.us.createRoomRequests({ room_id, template: 'quality_of_earnings' })
      return { room_id }
    },
  },
  list_request_templates: { input: () => ({}) },
} satisfies Samples
