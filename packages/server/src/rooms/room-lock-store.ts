import { read, write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Viewer } from './room-sight-store.ts'
import { roomById, type RoomRow } from './room-store.ts'

/**
 * A Room that the viewer can see, locked against every other change of it: its parent first, which cannot be archived
 * meanwhile. Who sees it is asked when the locks are held, so that nobody acts on access they have just lost.
 */
export async function lockRoom(
  tx: Transaction,
  viewer: Viewer,
  room_id: string,
): Promise<RoomRow | undefined> {
  const [, , room] = await Promise.all([
    tx.run(parentLock, [viewer.workspace_id, room_id]),
    tx.run(roomLock, [viewer.workspace_id, room_id]),
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
    tx.run(workspaceKeep, [workspace_id]),
    tx.run(parentLock, [workspace_id, room_id]),
    tx.run(roomLock, [workspace_id, room_id]),
    tx.one(roomState, [workspace_id, room_id]),
  ])
  return state
}

const parentLock = write(
  'room_parent_lock',
  `select from rooms parent
   where parent.workspace_id = $1 and parent.id = (select r.parent_id from rooms r where r.workspace_id = $1 and r.id = $2)
   for share`,
)

const roomLock = write('room_lock', 'select from rooms where workspace_id = $1 and id = $2 for update')

// No harder than a new row of the Workspace locks it.
const workspaceKeep = write('room_workspace_keep', 'select from workspaces where id = $1 for key share')

const roomState = read<RoomState>(
  'room_state',
  `select r.status, parent.status as parent_status, w.status as workspace_status
   from rooms r join workspaces w on w.id = r.workspace_id
   left join rooms parent on parent.workspace_id = r.workspace_id and parent.id = r.parent_id
   where r.workspace_id = $1 and r.id = $2`,
)
