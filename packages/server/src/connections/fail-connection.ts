import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import type { EventDraft } from '@wbs/contract/events'
import { connectionMachine } from '@wbs/contract/connections/connections'
import { nextState } from '@wbs/contract/state-machine'
import type { Transaction } from '../database/connections/writer.ts'
import { lockRoomState } from '../rooms/room-lock-store.ts'
import { saveStatusOfService } from './connection-change-store.ts'
import { connectionOfService, type ConnectionKey } from './connection-store.ts'
import { connectionAsSubject } from './connection-view.ts'

/**
 * Records, in a change by the service itself, that the app of a connection refuses it: a live one gets the status error. Returns
 * its status, which is null if there is no such connection, and the events. Locks the Room alone, so call it before any other lock
 * is taken.
 */
export async function failConnection(
  tx: Transaction,
  { workspace_id, room_id, connection_id }: ConnectionKey & { workspace_id: string },
  now: Date,
): Promise<{ status: ConnectionStatus | null; events: EventDraft[] }> {
  const [, connection] = await Promise.all([
    lockRoomState(tx, workspace_id, room_id),
    connectionOfService(tx, workspace_id, connection_id),
  ])
  const status = connection && nextState(connectionMachine, 'fail', connection.status)
  if (!connection || !status) return { status: connection?.status ?? null, events: [] }
  const failed = saveStatusOfService(tx, connection, status, now)
  return { status, events: [{ type: 'connection.failed', ...connectionAsSubject(failed) }] }
}
