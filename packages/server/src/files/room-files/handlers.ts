import { handleArchiveRoomFile } from './archive-room-file.ts'
import { handleAttachRoomFile } from './attach-room-file.ts'
import { handleGetRoomFile } from './get-room-file.ts'
import { handleListRoomFiles } from './list-room-files.ts'
import { handleRestoreRoomFile } from './restore-room-file.ts'
import { handleUpdateRoomFile } from './update-room-file.ts'

/** The handlers of this noun. Add a line for each new handler. */
export const roomFileHandlers = [
  handleArchiveRoomFile,
  handleAttachRoomFile,
  handleGetRoomFile,
  handleListRoomFiles,
  handleRestoreRoomFile,
  handleUpdateRoomFile,
]
