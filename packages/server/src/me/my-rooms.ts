import type { Caller } from '../call/authority/caller.ts'
import type { Reader } from '../database/statement.ts'
import { myRoomsPage, type MyRoomRow } from './my-room-store.ts'

/** A page of the caller's Rooms, as answers show them. A key has those of its owner in its own Workspace, if it may read Rooms. */
export async function roomsOfCaller(
  reader: Reader,
  caller: Caller,
  page: { after: string | null; limit: number },
) {
  if (caller.kind === 'key' && !caller.scopes.includes('rooms:read')) return { rooms: [], cursor: null }
  const workspace_id = caller.kind === 'key' ? caller.workspace_id : null
  const { rooms, cursor } = await myRoomsPage(reader, { user_id: caller.user_id, workspace_id }, page)
  return { rooms: rooms.map(presentMyRoom), cursor }
}

const presentMyRoom = ({
  room_id,
  title,
  status,
  workspace_id,
  workspace_name,
  access_level,
  joined_at,
}: MyRoomRow) => ({ room_id, title, status, workspace_id, workspace_name, access_level, joined_at })
