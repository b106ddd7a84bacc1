import { lockShared, mayLockForSql } from '../database/locks.ts'
import { read, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { levelIn, viewerValues, type Viewer } from './room-visibility-store.ts'
import { roomById, type RoomRow } from './room-store.ts'

/**
 * A Room that the viewer can see, locked against every other change of it: its parent first, which cannot be archived
 * meanwhile. Who sees it is asked again when the locks are held, so that nobody acts on access they have just lost. A Room
 * that the viewer cannot see is not locked: the time spent waiting for the lock would tell that somebody works there. No
 * Room is locked for another standing than the one that this transaction has judged, by its seal.
 */
export async function lockRoom(
  tx: Transaction,
  viewer: Viewer,
  room_id: string,
  seal: string,
): Promise<RoomRow | undefined> {
  const [locked, room] = await Promise.all([
    tx.run(seenRoomLock, [...viewerValues(viewer), room_id, seal]),
    roomById(tx, viewer, room_id),
  ])
  // The statement that locks may not have seen it: it came into sight a moment later.
  return locked.length > 0 ? room : undefined
}

export type RoomState = Pick<RoomRow, 'status' | 'parent_status'> & { workspace_status: string }

/** The same, of a Room that nobody in particular looks at: locked, and whether it takes changes. */
export async function lockRoomState(
  tx: Transaction,
  workspace_id: string,
  room_id: string,
): Promise<RoomState | undefined> {
  const [, , state] = await Promise.all([
    lockShared(tx, workspace_id, [['workspace', '']]),
    tx.run(roomLock, [workspace_id, room_id]),
    tx.one(roomState, [workspace_id, room_id]),
  ])
  return state
}

/** The Room that a condition names, locked alone; its parent, which it may not have, is shared first. */
const locking = (condition: string) => `
  with named as materialized (
    select r.workspace_id, r.id, r.parent_id from rooms r where r.workspace_id = $1 and ${condition}
  ), parent as materialized (
    select pg_advisory_xact_lock_shared(lock_number('room', workspace_id, parent_id)) from named where parent_id is not null
  )
  select pg_advisory_xact_lock(lock_number('room', workspace_id, id)) from named where (select count(*) from parent) < 2`

const roomLock = write('room_lock', locking('r.id = $2'))
const seenRoomLock = write(
  'room_seen_lock',
  locking(`r.id = $5 and ${mayLockForSql('$6::text')} and ${levelIn('r')} is not null`),
)

const roomState = read<RoomState>(
  'room_state',
  `select r.status, parent.status as parent_status, w.status as workspace_status
   from rooms r join workspaces w on w.id = r.workspace_id
   left join rooms parent on parent.workspace_id = r.workspace_id and parent.id = r.parent_id
   where r.workspace_id = $1 and r.id = $2`,
)
