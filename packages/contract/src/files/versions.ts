import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { idCursor, revision } from '../schema.ts'
import { File, FileId, fileMutation, fileQuery } from './files.ts'
import { FileVersion, FileVersionId } from './version-schema.ts'

const versionPath = { file_id: FileId, file_version_id: FileVersionId } as const

export const listFileVersions = query('list_file_versions', {
  ...fileQuery,
  http: 'GET /v1/files/{file_id}/versions',
  summary: 'List the versions of a File.',
  description: 'The list is sorted by number, the newest first.',
  input: {
    file_id: FileId,
    cursor: T.Optional(idCursor('fvr')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(FileVersion),
  problems: ['not_found'],
})

export const getFileVersion = query('get_file_version', {
  ...fileQuery,
  http: 'GET /v1/files/{file_id}/versions/{file_version_id}',
  summary: 'Retrieve a version of a File.',
  input: versionPath,
  output: { data: FileVersion },
  problems: ['not_found'],
})

export const restoreFileVersion = mutation('restore_file_version', {
  ...fileMutation,
  http: 'POST /v1/files/{file_id}/versions/{file_version_id}/restore',
  summary: 'Make an earlier version the newest one.',
  description:
    'Requires edit access to the File. The new version has the content of the earlier one, which must be ready, and a number of its own.',
  input: { ...versionPath, expected_revision: revision() },
  output: { file: File, new_version: FileVersion },
  status: 201,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict', 'limit_reached'],
  emits: ['file.version_added'],
})

export const retryFileVersion = mutation('retry_file_version', {
  ...fileMutation,
  http: 'POST /v1/files/{file_id}/versions/{file_version_id}/retry',
  summary: 'Process a failed version again.',
  description:
    'Requires edit access to the File. The content of the version must have been stored completely.',
  input: { ...versionPath, expected_revision: revision() },
  output: { file: File, new_version: FileVersion },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: [],
})
