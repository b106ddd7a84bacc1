import type { Id } from '@wbs/contract/ids'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { versionSql, type VersionRow } from '../file-store.ts'

/** A version with what its processing needs. */
export interface StoredVersion {
  workspace_id: string
  file_id: Id<'fil'>
  /** The name of the File. */
  name: string
  created_by: string
  /** Of the stored content; null while there is none. */
  stored_sha256: string | null
  version: VersionRow
}

export const storedVersionById = (
  reader: Reader,
  workspace_id: string,
  file_version_id: string,
): Promise<StoredVersion | undefined> => reader.one(storedVersion, { workspace_id, file_version_id })

/** What the processing of a version found. */
export interface Findings {
  content_type: string
  is_text: boolean
  summary: string | null
  text_status: 'ready' | 'none' | 'failed'
  pages: readonly string[]
}

/** Makes a version ready. Pages of an earlier attempt are replaced. */
export function saveReadyVersion(
  tx: Transaction,
  { workspace_id, version }: StoredVersion,
  { content_type, is_text, summary, text_status, pages }: Findings,
  now: Date,
): VersionRow {
  const { file_version_id } = version
  tx.save(pagesDelete, { workspace_id, file_version_id })
  if (pages.length > 0) tx.save(pagesInsert, { workspace_id, file_version_id, pages })
  tx.save(versionReady, {
    workspace_id,
    file_version_id,
    content_type,
    is_text,
    summary,
    text_status,
    page_count: pages.length,
    now,
  })
  const ready_at = now.toISOString()
  return { ...version, content_type, summary, processing_status: 'ready', processing_error: null, ready_at }
}

/** Makes the File active in the Rooms where it was waiting for its first version. */
export const activateRoomFiles = (
  tx: Transaction,
  { workspace_id, file_id }: { workspace_id: string; file_id: string },
  now: Date,
): void => tx.save(roomFilesActivate, { workspace_id, file_id, now })

const storedVersion = read<StoredVersion>(
  'file_version_stored_by_id',
  `select v.workspace_id, v.file_id, f.name, v.created_by, v.sha256 as stored_sha256, ${versionSql('v')} as version
   from file_versions v join files f on f.workspace_id = :workspace_id and f.id = v.file_id
   where v.workspace_id = :workspace_id and v.id = :file_version_id`,
)

const pagesDelete = write(
  'file_pages_delete',
  'delete from file_pages where workspace_id = :workspace_id and file_version_id = :file_version_id',
)

const pagesInsert = write(
  'file_pages_insert',
  `insert into file_pages (workspace_id, file_version_id, page, text)
   select :workspace_id, :file_version_id, page, text from unnest(:pages::text[]) with ordinality as pages (text, page)`,
)

const versionReady = write(
  'file_version_ready',
  `update file_versions set processing_status = 'ready', processing_error = null, content_type = :content_type, is_text = :is_text, summary = :summary,
     text_status = :text_status, page_count = :page_count, ready_at = :now
   where workspace_id = :workspace_id and id = :file_version_id`,
)

const roomFilesActivate = write(
  'room_files_activate',
  `update room_files set status = 'active', revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and file_id = :file_id and status = 'pending'`,
)
