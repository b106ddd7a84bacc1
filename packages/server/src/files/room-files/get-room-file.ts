import { getRoomFile } from '@wbs/contract/files/room-files'
import { implement } from '../../call/implement.ts'
import { requireRoomFile } from './room-file-access.ts'
import { presentRoomFile } from './room-file-view.ts'

export const handleGetRoomFile = implement(
  getRoomFile,
  async function getRoomFile({ room_file_id }, context) {
    const room_file = await requireRoomFile(context, context.read, room_file_id)
    return { result: { room_file: presentRoomFile(room_file) }, revision: room_file.revision }
  },
)
