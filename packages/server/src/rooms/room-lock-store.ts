import { lockShared, mayLockForSql } from '../database/locks.ts'
import { read, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { asViewer, levelInSql, type Viewer } from './visibility/room-visibility-store.ts'
import { roomById, type RoomRow } from './room-store.ts'

/**
 * Locks a Room that the viewer can see, so that other changes of it wait; its parent is locked shared, so that it cannot be
 * archived meanwhile. Undefined if the viewer cannot see the Room. Visibility is read again under the locks, because access
 * may end while the statement waits. A Room that the viewer cannot see is not locked: the delay would reveal that it exists.
 * `seal` is that of the standing that the caller of this function has in mind: if the transaction has judged another one,
 * nothing is locked.
 */
export async function lockRoom(
  tx: Transaction,
  viewer: Viewer,
  room_id: string,
  seal: string,
): Promise<RoomRow | undefined> {
  const [locked, room] = await Promise.all([
    tx.run(visibleRoomLock, { ...asViewer(viewer), room_id, seal }),
    roomById(tx, viewer, room_id),
  ])
  // The Room may have become visible only after the locking statement, and is then not locked.
  return locked.length > 0 ? room : undefined
}

export type RoomState = Pick<RoomRow, 'status' | 'parent_status'> & { workspace_status: string }

/** Locks a Room without checking visibility, and reads whether it can be changed. Undefined if there is no such Room. */
export async function lockRoomState(
  tx: Transaction,
  workspace_id: string,
  room_id: string,
): Promise<RoomState | undefined> {
  const [, , state] = await Promise.all([
    lockShared(tx, workspace_id, [['workspace', '']]),
    tx.run(roomLock, { workspace_id, room_id }),
    tx.one(roomState, { workspace_id, room_id }),
  ])
  return state
}

/**
 * Locks the Room that meets a condition exclusively, after its parent, if any, shared: the last condition always holds, and
 * cannot be evaluated before the parent is locked.
 */
const lockRoomSql = (condition: string) => `
  with named as materialized (
    select r.workspace_id, r.id, r.parent_id from rooms r where r.workspace_id = :workspace_id and ${condition}
  ), parent as materialized (
    select pg_advisory_xact_lock_shared(lock_number('room', workspace_id, parent_id)) from named where parent_id is not null
  )
  select pg_advisory_xact_lock(lock_number('room', workspace_id, id)) from named where (select count(*) from parent) < 2`

const roomLock = write('room_lock', lockRoomSql('r.id = :room_id'))
const visibleRoomLock = write(
  'room_visible_lock',
  lockRoomSql(`r.id = :room_id and ${mayLockForSql(':seal::text')} and ${levelInSql('r')} is not null`),
)

const roomState = read<RoomState>(
  'room_state',
  `select r.status, parent.status as parent_status, w.status as workspace_status
   from rooms r join workspaces w on w.id = r.workspace_id
   left join rooms parent on parent.workspace_id = r.workspace_id and parent.id = r.parent_id
   where r.workspace_id = :workspace_id and r.id = :room_id`,
)
