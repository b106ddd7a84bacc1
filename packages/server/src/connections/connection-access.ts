import type { AccessLevel } from '@wbs/contract/scopes'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import {
  lockRoomAndRead,
  requireOpened,
  viewerOf,
  type CallerInWorkspace,
  type CallerOfChange,
} from '../rooms/room-access.ts'
import type { OpenedRoom } from '../rooms/room-store.ts'
import { mayControl, moved } from './connection.ts'
import { connectionInRoom, type ConnectionKey, type VisibleConnectionRow } from './connection-store.ts'

declare const opened: unique symbol

/** A connection that was opened for a change, with its Room locked. Only this file returns it. */
export type OpenedConnection = VisibleConnectionRow & { readonly [opened]: true }

/** A connection that the caller can see, in the Room that the path names. Throws not_found. */
export async function requireConnection(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  key: ConnectionKey,
): Promise<VisibleConnectionRow> {
  return requireFound(await connectionInRoom(reader, viewerOf(context), key), context.refuse)
}

/** Locks the Room of a connection, and reads the connection under the lock. */
const lockRoomAndConnection = (key: ConnectionKey, context: CallerOfChange) =>
  lockRoomAndRead(context, key.room_id, viewer => connectionInRoom(context.tx, viewer, key))

/** Locks the Room of a connection for a change of either. Throws not_found if the caller cannot see both. */
export async function openConnection<Level extends AccessLevel>(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  key: ConnectionKey,
  needed: Level,
): Promise<{ room: OpenedRoom<Level>; connection: OpenedConnection }> {
  const [locked, connection] = await lockRoomAndConnection(key, context)
  // The connection is judged before the level: one that is absent must not be told from one that is hidden.
  requireOpened(locked, 'view', context.refuse)
  const found = requireFound(connection, context.refuse)
  return { room: requireOpened(locked, needed, context.refuse), connection: found as OpenedConnection }
}

/**
 * Opens a connection for a change of its status. Throws forbidden unless the caller shares it or has full access to the Room.
 */
export async function openToControl(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  key: ConnectionKey,
): Promise<{ room: OpenedRoom<'view'>; connection: OpenedConnection }> {
  const found = await openConnection(context, key, 'view')
  if (!mayControl(found.connection, found.room.access_level, context.caller.user_id))
    throw context.refuse.forbidden('You need to be the one who shares it, or have full access to the Room.')
  return found
}

/** Throws state_conflict unless the connection can be used now. */
export function requireLive(
  connection: Pick<VisibleConnectionRow, 'status'>,
  move: 'read' | 'request',
  refuse: Pick<Refuse<'state_conflict'>, 'state_conflict'>,
): void {
  moved(move, connection, refuse)
}

/** Checks before a replay that the caller can still see the connection of the path. Throws not_found. */
async function checkConnectionVisible(
  key: ConnectionKey,
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireConnection(context, context.tx, key)
}

/** What runs before a handler that begins by opening the connection of its path. */
export const beforeConnectionChange = { visible: checkConnectionVisible, prefetch: lockRoomAndConnection }

/** A connection that was looked up. Throws not_found if there is none. */
export function requireFound<Row extends VisibleConnectionRow>(
  connection: Row | undefined,
  refuse: Refuse<'not_found'>,
): Row {
  if (!connection)
    throw refuse.not_found('There is no such shared connection in the Room, or you cannot see it.')
  return connection
}
