import type { Classification, FileOrigin } from '@wbs/contract/files/files'
import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { ProcessingError, ProcessingStatus } from '@wbs/contract/files/version-schema'
import { jsonTimeSql } from '../database/database-time.ts'
import { read, type Reader } from '../database/statement.ts'
import { asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { fileLevelSql, mayDownloadSql } from './file-visibility-store.ts'

/** A version, as answers show it and as `versionSql` makes it. */
export interface VersionRow {
  file_version_id: Id<'fvr'>
  version_number: number
  content_type: string
  size_bytes: number
  sha256: string | null
  processing_status: ProcessingStatus
  processing_error: ProcessingError | null
  summary: string | null
  created_at: string
  ready_at: string | null
}

/** A File as a viewer sees it. */
export interface FileRow {
  workspace_id: string
  file_id: Id<'fil'>
  business_id: Id<'biz'> | null
  name: string
  description: string | null
  classification: Classification
  tags: string[]
  origin: FileOrigin
  lifecycle: 'active' | 'archived'
  current_version: VersionRow
  revision: number
  created_at: string
  updated_at: string
  archived_at: string | null
  access_level: AccessLevel
}

/** A locked File, with what its changes need. */
export interface LockedFile extends FileRow {
  next_version_number: number
  /** The Rooms that have it, whoever can see them: an event about the File is told in each. */
  room_ids: string[]
}

declare const level: unique symbol

/**
 * A File that was opened for a change: it is locked, and the caller's level was checked under that lock. Functions that save
 * a File require this type, and only file-access.ts returns it.
 */
export type OpenedFile<Level extends AccessLevel> = LockedFile & { readonly [level]: Level }

/** The Rooms that have the File, as an array. */
export const roomIdsSql = (file: string) => `array(
  select rf.room_id from room_files rf
  where rf.workspace_id = :workspace_id and rf.file_id = ${file}.id and rf.status <> 'archived' order by rf.room_id)`

/** A row of file_versions as a VersionRow in JSON. */
export const versionSql = (version: string) => `jsonb_build_object(
  'file_version_id', ${version}.id, 'version_number', ${version}.number, 'content_type', ${version}.content_type,
  'size_bytes', ${version}.size_bytes, 'sha256', coalesce(${version}.sha256, ${version}.declared_sha256),
  'processing_status', ${version}.processing_status, 'processing_error', ${version}.processing_error,
  'summary', ${version}.summary, 'created_at', ${jsonTimeSql(`${version}.created_at`)}, 'ready_at', ${jsonTimeSql(`${version}.ready_at`)})`

/** The columns of a FileRow from the row `f`. Moments that become part of JSON have to be written as text. */
export const fileColumnsSql = (access_level: string, form: 'in a row' | 'in JSON' = 'in a row') => {
  const moment = (column: string) =>
    form === 'in JSON' ? `${jsonTimeSql(column)} as ${column.slice(2)}` : column
  return `
  f.workspace_id, f.id as file_id, f.business_id, f.name, f.description, f.classification, f.tags, f.origin, f.lifecycle,
  f.revision, ${moment('f.created_at')}, ${moment('f.updated_at')}, ${moment('f.archived_at')}, ${access_level} as access_level,
  (select ${versionSql('v')} from file_versions v where v.workspace_id = :workspace_id and v.id = f.current_version_id) as current_version`
}

/** A File that the viewer can see. */
export const fileById = (reader: Reader, viewer: Viewer, file_id: string): Promise<FileRow | undefined> =>
  reader.one(visibleFileById, { ...asViewer(viewer), file_id })

/** A File that the viewer can see, and whether they may download it. */
export const fileToDownload = (
  reader: Reader,
  viewer: Viewer,
  file_id: string,
): Promise<(FileRow & { may_download: boolean }) | undefined> =>
  reader.one(visibleFileToDownload, { ...asViewer(viewer), file_id })

/** The File `:file_id`, if the viewer can see it. Without `offset 0` its level is computed twice: 48 buffers instead of 28. */
const visibleFileSql = (columns = '') => `
  select ${fileColumnsSql('seen.access_level')}${columns}
  from files f cross join lateral (select ${fileLevelSql('f')} as access_level offset 0) seen
  where f.workspace_id = :workspace_id and f.id = :file_id and seen.access_level is not null`

const visibleFileById = read<FileRow>('file_visible', visibleFileSql())

/** The same, for a change. */
export const visibleFileForChange = read<LockedFile>(
  'file_visible_for_change',
  visibleFileSql(`, (
    select max(number) + 1 from file_versions v where v.workspace_id = :workspace_id and v.file_id = f.id) as next_version_number,
    ${roomIdsSql('f')} as room_ids`),
)

const visibleFileToDownload = read<FileRow & { may_download: boolean }>(
  'file_visible_to_download',
  visibleFileSql(`, ${mayDownloadSql('f')} as may_download`),
)
