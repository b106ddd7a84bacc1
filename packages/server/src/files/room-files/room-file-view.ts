import { presentFile } from '../file-view.ts'
import type { RoomFileRow } from './room-file-store.ts'

/** A File in a Room for an answer. The row was read for the viewer and shows the newest ready version. */
export function presentRoomFile({ workspace_id, file, ...row }: RoomFileRow) {
  const { processing_status, file_version_id } = file.current_version
  return {
    ...row,
    file: presentFile({ workspace_id, ...file }),
    file_version_id: processing_status === 'ready' ? file_version_id : null,
  }
}

/** The fields of an event about a File in a Room: the File is the subject, and the Room's feed has the event. */
export const roomFileAsSubject = ({ room_id, file }: Pick<RoomFileRow, 'room_id' | 'file'>) => ({
  subject: { type: 'file', id: file.file_id, name: file.name },
  room_id,
})
