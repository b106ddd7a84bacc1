import { someApp } from '../harness/test-app.ts'
import type { Samples } from '../operations/sample.ts'
import { freshRoom } from '../rooms/fresh-room.ts'
import { freshConnection } from './fresh-connection.ts'

/** They may edit the Room; the operation is for the owner, who shares the connection and manages the Room. */
const onlyWhoShares = { member: 403, admin: 403 }

export const samples = {
  list_connections: {
    input: async world => {
      const { room_id } = await freshConnection(world)
      return { room_id }
    },
  },
  share_connection: {
    input: async world => ({ room_id: await freshRoom(world), ...someApp }),
    // Nobody shares by an API key.
    answers: { key: 403 },
    readBack: false,
    others: {
      'of another Room': async world => {
        const { connection_id } = await freshConnection(world)
        return {
          room_id: await freshRoom(world),
          source_connection_id: connection_id,
          allowed_operations: ['look'],
        }
      },
    },
  },
  pause_connection: { input: world => freshConnection(world), answers: onlyWhoShares, readBack: false },
  resume_connection: {
    input: world => freshConnection(world, 'paused'),
    answers: onlyWhoShares,
    readBack: false,
  },
  stop_connection: { input: world => freshConnection(world), answers: onlyWhoShares, readBack: false },
  reconnect_connection: {
    input: world => freshConnection(world, 'error'),
    answers: onlyWhoShares,
    readBack: false,
  },
  read_connection: {
    input: async world => ({
      ...(await freshConnection(world)),
      operation: 'look',
      arguments: { path: '/orders' },
    }),
  },
} satisfies Samples
