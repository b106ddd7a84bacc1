import type { Id } from '@wbs/contract/ids'
import type { ProcessingStatus } from '@wbs/contract/files/version-schema'
import { read, type Reader } from '../../database/statement.ts'

/** What reading a version needs to know of it. */
export interface ReadableVersion {
  file_version_id: Id<'fvr'>
  content_type: string
  size_bytes: number
  /** Set for a version that is ready. */
  sha256: string
  processing_status: ProcessingStatus
  is_text: boolean
  text_status: 'pending' | 'ready' | 'none' | 'failed'
  page_count: number
}

/** A version of a File: the named one, or the current one. */
export const versionToRead = (
  reader: Reader,
  workspace_id: string,
  { file_id, file_version_id }: { file_id: string; file_version_id?: string },
): Promise<ReadableVersion | undefined> =>
  reader.one(versionOfFile, { workspace_id, file_id, file_version_id })

/** The text of a page of a version; undefined if there is none. */
export const storedPage = async (
  reader: Reader,
  workspace_id: string,
  file_version_id: string,
  page: number,
): Promise<string | undefined> =>
  (await reader.one(pageOfVersion, { workspace_id, file_version_id, page }))?.text

const versionOfFile = read<ReadableVersion>(
  'file_version_to_read',
  `select v.id as file_version_id, v.content_type, v.size_bytes::double precision as size_bytes, v.sha256, v.processing_status,
     v.is_text, v.text_status, v.page_count
   from files f join file_versions v on v.workspace_id = :workspace_id and v.id = coalesce(:file_version_id, f.current_version_id) and v.file_id = f.id
   where f.workspace_id = :workspace_id and f.id = :file_id`,
)

const pageOfVersion = read<{ text: string }>(
  'file_page',
  'select text from file_pages where workspace_id = :workspace_id and file_version_id = :file_version_id and page = :page',
)
