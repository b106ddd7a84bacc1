import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshRoom } from '../fresh-room.ts'

async function freshList({ us }: World): Promise<string> {
  const definition = {
    schema_version: 'svc.list.v1',
    subject_type: 'business',
    rule: { kind: 'all' },
  } as const
  return (await us.createList({ name: 'Candidates', definition })).data.id
}

export const samples = {
  attach_room_resource: {
    input: async world => ({
      room_id: await freshRoom(world),
      resource_type: 'business',
      resource_id: world.published_id,
    }),
    hidden: ({ hidden }) => ({ resource_id: hidden['business_id'] }),
    others: {
      'a List': async world => ({
        room_id: await freshRoom(world),
        resource_type: 'list',
        resource_id: await freshList(world),
      }),
    },
    roundTrips: 2,
  },
  detach_room_resource: {
    input: async world => {
      const { room } = await world.us.attachRoomResource({
        room_id: await freshRoom(world),
        resource_type: 'business',
        resource_id: world.published_id,
      })
      return { room_id: room.room_id, attachment_id: room.attachments[0]?.attachment_id }
    },
    others: {
      'of a List': async world => {
        const { room } = await world.us.attachRoomResource({
          room_id: await freshRoom(world),
          resource_type: 'list',
          resource_id: await freshList(world),
        })
        return { room_id: room.room_id, attachment_id: room.attachments[0]?.attachment_id }
      },
    },
    roundTrips: 2,
  },
} satisfies Samples
