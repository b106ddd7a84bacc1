import type { ProcessingStatus } from '@wbs/contract/files/version-schema'
import { read, type Reader } from '../../database/statement.ts'
import { roomFileLevelRowSql } from '../../rooms/visibility/room-file-visibility-store.ts'
import { levelRowSql, asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { roomByIdSql } from '../../rooms/visibility/visible-rooms-store.ts'

/** The current version of a File of a Room, as far as a request list needs to know it. */
export interface RequestFile {
  content_type: string
  size_bytes: number
  /** Set for a version that is ready. */
  sha256: string
  processing_status: ProcessingStatus
}

/** A File of a Room that the viewer can open there. */
export const requestFile = (
  reader: Reader,
  viewer: Viewer,
  { room_id, file_id }: { room_id: string; file_id: string },
): Promise<RequestFile | undefined> => reader.one(openableFile, { ...asViewer(viewer), room_id, file_id })

const openableFile = read<RequestFile>(
  'request_list_file',
  `select v.content_type, v.size_bytes::double precision as size_bytes, v.sha256, v.processing_status
   from room_files rf
   cross join lateral ${roomByIdSql('rf.room_id', 'r')}
   cross join lateral ${levelRowSql('r')} as in_room (room_level)
   cross join lateral ${roomFileLevelRowSql('rf', 'r', 'in_room.room_level')} as there (access_level)
   join files f on f.workspace_id = :workspace_id and f.id = rf.file_id
   join file_versions v on v.workspace_id = :workspace_id and v.id = f.current_version_id
   where rf.workspace_id = :workspace_id and rf.room_id = :room_id and rf.file_id = :file_id and rf.status <> 'archived'
     and there.access_level is not null`,
)
