import type { CallerInWorkspace } from '../rooms/room-access.ts'
import { mayControl } from './connection.ts'
import type { ConnectionRow, VisibleConnectionRow } from './connection-store.ts'

/** A shared connection for an answer. The row was read for the caller. */
export function presentConnection(row: VisibleConnectionRow, { caller, standing }: CallerInWorkspace) {
  const { connection_id, room_id, kind, plugin, origin, label, status, shared_at } = row
  const { allowed_operations, requires_approval } = row
  return {
    connection_id,
    room_id,
    kind,
    plugin,
    origin,
    label,
    status,
    shared_by: { id: row.shared_by, name: row.sharer_name },
    shared_at,
    mine: row.shared_by === caller.user_id,
    can_stop:
      status !== 'stopped' &&
      standing.permissions.has('connections:use') &&
      mayControl(row, row.access_level, caller.user_id),
    allowed_operations: [...allowed_operations],
    requires_approval: [...requires_approval],
  }
}

/** The fields of an event that name the connection, and the Room whose feed has the event. */
export const connectionAsSubject = ({ connection_id, label, room_id }: ConnectionRow) => ({
  subject: { type: 'connection', id: connection_id, name: label },
  room_id,
})

/** The sharer, as the person whom an event concerns. */
export const aboutSharer = ({ shared_by, sharer_email, sharer_name }: ConnectionRow) => ({
  about: { user_id: shared_by, email: sharer_email, name: sharer_name },
})

/** A connection as the resource of a receipt. */
export const connectionResource = ({ connection_id }: ConnectionRow) => ({
  type: 'connection' as const,
  id: connection_id,
})
