import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { viewerOf, type CallerInWorkspace } from '../../rooms/room-access.ts'
import { noSuchRoomFile, requireRoomFileLevel } from '../room-files/room-file-access.ts'
import { roomFileWithRoom, type RoomFileRow, type RoomOfFile } from '../room-files/room-file-store.ts'

/** A File in a Room to which the caller has full access, with its Room. Throws not_found or forbidden. */
export async function requireManagedRoomFile(
  context: CallerInWorkspace & { refuse: Refuse<'not_found' | 'forbidden'> },
  reader: Reader,
  room_file_id: string,
): Promise<{ room: RoomOfFile; room_file: RoomFileRow }> {
  const { refuse } = context
  const found = await roomFileWithRoom(reader, viewerOf(context), room_file_id)
  if (!found) throw noSuchRoomFile(refuse)
  const { room, ...room_file } = found
  requireRoomFileLevel(room_file, 'full_access', refuse)
  return { room, room_file }
}
