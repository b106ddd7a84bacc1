import type { Samples } from '../operations/sample.ts'
import type { World } from '../operations/world.ts'
import { freshParticipant, freshRoom } from '../rooms/fresh-room.ts'

export const samples = {
  list_events: {
    input: async world => {
      const room_id = String((await freshParticipant(world))['room_id'])
      const { next_cursor } = await world.us.listEvents({ room_id, limit: 1 })
      return { room_id, types: ['room.*'], actor: 'me', after: next_cursor, limit: 5 }
    },
  },
  get_event: { input: async world => ({ event_id: await createdEvent(world, await freshRoom(world)) }) },
  list_event_changes: {
    // Somebody was invited there, so that an event has every field that events have.
    input: async world => {
      const { cursor } = await world.us.listEventChanges({ limit: 1 })
      return { room_id: (await freshParticipant(world))['room_id'], cursor, limit: 5 }
    },
  },
  stream_events: {
    input: async world => ({
      room_id: await freshRoom(world),
      types: ['room.*'],
      cursor: (await world.us.listEventChanges({ limit: 1 })).cursor,
    }),
  },
} satisfies Samples

/** The id of the event that a Room was created. */
async function createdEvent({ service }: World, room_id: string): Promise<string> {
  const [event] = await service.sql(`select id from events where room_id = $1 and type = 'room.created'`, [
    room_id,
  ])
  return event?.['id']
}
