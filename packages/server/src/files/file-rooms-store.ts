import { read, type Reader } from '../database/statement.ts'

/** The Rooms that have a File, whoever can see them: an event about the File is told in each. */
export const roomsOfFile = async (
  reader: Reader,
  { workspace_id, file_id }: { workspace_id: string; file_id: string },
): Promise<string[]> =>
  (await reader.many(roomsWithFile, [workspace_id, file_id])).map(({ room_id }) => room_id)

const roomsWithFile = read<{ room_id: string }>(
  'file_rooms',
  `select room_id from room_files where workspace_id = $1 and file_id = $2 and status <> 'archived' order by room_id`,
)
