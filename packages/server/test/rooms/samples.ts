import type { Samples } from '../operations/sample.ts'
import { freshRoom } from './fresh-room.ts'

/** They may edit the Room; the operation requires full access. */
const onlyWhoManagesTheRoom = { member: 403, admin: 403 }

export const samples = {
  create_room: {
    input: ({ published_id }) => ({ title: 'Purchase of Harbor Bakery', business_id: published_id }),
  },
  get_room: { input: async world => ({ room_id: await freshRoom(world) }) },
  list_rooms: { input: () => ({}) },
  update_room: {
    input: async world => ({
      room_id: await freshRoom(world),
      expected_revision: 1,
      title: 'Purchase of both bakeries',
    }),
    answers: onlyWhoManagesTheRoom,
    roundTrips: 2,
  },
  archive_room: {
    input: async world => ({ room_id: await freshRoom(world), expected_revision: 1 }),
    answers: onlyWhoManagesTheRoom,
    roundTrips: 2,
  },
  restore_room: {
    input: async world => {
      const room_id = await freshRoom(world)
      await world.service.sql(`update rooms set status = 'archived', archived_at = now() where id = $1`, [
        room_id,
      ])
      return { room_id, expected_revision: 1 }
    },
    answers: onlyWhoManagesTheRoom,
    roundTrips: 2,
  },
} satisfies Samples
