import type { Samples } from '../../operations/sample.ts'
import { freshRoom } from '../fresh-room.ts'

export const samples = {
  attach_room_resource: {
    input: async world => ({
      room_id: await freshRoom(world),
      resource_type: 'business',
      resource_id: world.published_id,
    }),
    hidden: ({ hidden }) => ({ resource_id: hidden['business_id'] }),
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
    roundTrips: 2,
  },
} satisfies Samples
