import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../../database/statement.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { versionSql, type VersionRow } from '../file-store.ts'
import { fileLevelSql } from '../file-visibility-store.ts'

/** An upload with the version that it is for. */
export interface UploadRow {
  workspace_id: string
  upload_id: Id<'upl'>
  file_id: Id<'fil'>
  file_version_id: Id<'fvr'>
  status: 'open' | 'completed' | 'aborted' | 'expired'
  size_bytes: number
  part_size_bytes: number
  part_count: number
  reference: string
  created_by: string
  created_at: string
  ended_at: string | null
  /** The SHA-256 that was announced. */
  declared_sha256: string | null
  version: VersionRow
}

/** An upload of a File that the viewer may edit. */
export const uploadById = (
  reader: Reader,
  viewer: Viewer,
  upload_id: string,
): Promise<UploadRow | undefined> => reader.one(editableUpload, { ...asViewer(viewer), upload_id })

/** An upload, for the service itself. */
export const uploadOfWorkspace = (
  reader: Reader,
  workspace_id: string,
  upload_id: string,
): Promise<UploadRow | undefined> => reader.one(anyUpload, { workspace_id, upload_id })

/**
 * A page of the viewer's own uploads, from the one behind `after` on: one more than the limit. `may_edit` is false for
 * uploads of Files that they may not edit any more.
 */
export const ownUploads = (
  reader: Reader,
  viewer: Viewer,
  { file_id = null, after, limit }: { file_id?: string | null | undefined; after: string; limit: number },
): Promise<(UploadRow & { may_edit: boolean })[]> =>
  reader.many(uploadsOfPerson, { ...asViewer(viewer), file_id, after, limit: limit + 1 })

/** How many uploads of a person are open. */
export const countOpenUploads = async (
  reader: Reader,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
): Promise<number> => (await reader.one(openUploads, { workspace_id, user_id }))?.count ?? 0

const columns = `
  u.workspace_id, u.id as upload_id, u.file_id, u.file_version_id, u.status, u.size_bytes::float8 as size_bytes,
  u.part_size_bytes, u.part_count, u.reference, u.created_by, u.created_at, u.ended_at, v.declared_sha256,
  ${versionSql('v')} as version`

const withVersion = `join file_versions v on v.workspace_id = :workspace_id and v.id = u.file_version_id`
const withLevel = `join files f on f.workspace_id = :workspace_id and f.id = u.file_id
   cross join lateral (select ${fileLevelSql('f')} as access_level offset 0) seen`

const editableUpload = read<UploadRow>(
  'upload_editable',
  `select ${columns} from file_uploads u ${withVersion} ${withLevel}
   where u.workspace_id = :workspace_id and u.id = :upload_id and seen.access_level >= 'edit'`,
)

const anyUpload = read<UploadRow>(
  'upload_of_workspace',
  `select ${columns} from file_uploads u ${withVersion} where u.workspace_id = :workspace_id and u.id = :upload_id`,
)

const uploadsOfPerson = read<UploadRow & { may_edit: boolean }>(
  'uploads_of_person',
  `select ${columns}, coalesce(seen.access_level >= 'edit', false) as may_edit
   from (
     select * from file_uploads own
     where own.workspace_id = :workspace_id and own.created_by = :viewer_id and (:file_id::text is null or own.file_id = :file_id) and own.id > :after
     order by own.id limit :limit
   ) u ${withVersion} ${withLevel}
   order by u.id`,
  'long',
)

const openUploads = read<{ count: number }>(
  'uploads_open',
  `select count(*)::int as count from file_uploads where workspace_id = :workspace_id and created_by = :user_id and status = 'open'`,
)
