import { lockShared } from '../database/locks.ts'
import { read, write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import { levelIn, viewerValues, type Viewer } from './room-sight-store.ts'
import { roomById, type RoomRow } from './room-store.ts'

/**
 * A Room that the viewer can see, locked against every other change of it: its parent first, which cannot be archived
 * meanwhile. Who sees it is asked again when the locks are held, so that nobody acts on access they have just lost. A Room
 * that the viewer cannot see is not locked: the time spent waiting for the lock would tell that somebody works there.
 */
export async function lockRoom(
  tx: Transaction,
  viewer: Viewer,
  room_id: string,
): Promise<RoomRow | undefined> {
  const values = [...viewerValues(viewer), room_id]
  const [, , room] = await Promise.all([
    tx.run(parentOfSeenLock, values),
    tx.run(seenRoomLock, values),
    roomById(tx, viewer, room_id),
  ])
  return room
}

export type RoomState = Pick<RoomRow, 'status' | 'parent_status'> & { workspace_status: string }

/** The same, of a Room that nobody in particular looks at: locked, and whether it takes changes. */
export async function lockRoomState(
  tx: Transaction,
  workspace_id: string,
  room_id: string,
): Promise<RoomState | undefined> {
  const [, , , state] = await Promise.all([
    lockShared(tx, workspace_id, [['workspace', '']]),
    tx.run(parentLock, [workspace_id, room_id]),
    tx.run(roomLock, [workspace_id, room_id]),
    tx.one(roomState, [workspace_id, room_id]),
  ])
  return state
}

const parentOf = (room: string) =>
  `select pg_advisory_xact_lock_shared(lock_number('room', r.workspace_id, r.parent_id))
   from rooms r where ${room} and r.parent_id is not null`

// The row is locked as well, for nodes of the release before, which know no other lock of a Room.
const alone = (room: string) =>
  `select pg_advisory_xact_lock(lock_number('room', r.workspace_id, r.id))
   from rooms r where ${room} for no key update of r`

const named = 'r.workspace_id = $1 and r.id = $2'
const parentLock = write('room_parent_lock', parentOf(named))
const roomLock = write('room_lock', alone(named))

const seen = `r.workspace_id = $1 and r.id = $5 and ${levelIn('r')} is not null`
const parentOfSeenLock = write('room_seen_parent_lock', parentOf(seen))
const seenRoomLock = write('room_seen_lock', alone(seen))

const roomState = read<RoomState>(
  'room_state',
  `select r.status, parent.status as parent_status, w.status as workspace_status
   from rooms r join workspaces w on w.id = r.workspace_id
   left join rooms parent on parent.workspace_id = r.workspace_id and parent.id = r.parent_id
   where r.workspace_id = $1 and r.id = $2`,
)
