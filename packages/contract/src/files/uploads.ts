import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, id, idCursor, oneOf, open, openSet, revision } from '../schema.ts'
import { File, FileId, fileMutation, FileName, fileQuery, newFileInput, newFileRules } from './files.ts'
import { RoomFile } from './room-file-schema.ts'
import { FileVersion, FileVersionId } from './version-schema.ts'
import { stateMachine } from '../state-machine.ts'

export const UploadId = id('upl')

const uploadStatuses = ['open', 'completed', 'aborted', 'expired'] as const

export const uploadMachine = stateMachine(uploadStatuses, 'open', {
  send: { open: 'open' },
  complete: { open: 'completed' },
  abort: { open: 'aborted', aborted: 'aborted' },
  expire: { open: 'expired' },
})

/** An upload of the content of one version, in parts. */
export const Upload = component(
  'Upload',
  open({
    upload_id: UploadId,
    file_id: FileId,
    file_version_id: FileVersionId,
    status: openSet(uploadStatuses),
    size_bytes: T.Integer(),
    part_size_bytes: T.Integer({ description: 'The size of every part but the last, which may be shorter.' }),
    part_count: T.Integer(),
    received_parts: T.Array(open({ part_number: T.Integer(), size_bytes: T.Integer(), etag: T.String() }), {
      description: 'The parts that are stored completely. Empty when the upload has ended.',
    }),
    expires_at: dateTime('When the upload expires if nothing more arrives.'),
  }),
)

const Sha256 = T.Unsafe<string>({
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description: 'The SHA-256 of the whole content, in lower-case hex. The stored content must have it.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

const ContentType = T.Unsafe<string>({
  type: 'string',
  minLength: 3,
  maxLength: 200,
  pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
  description: 'The media type of the content, without parameters. The content must not contradict it.',
  examples: ['application/pdf'],
})

/** 5 GiB. */
export const longestContent = 5 * 1024 ** 3

const Size = T.Integer({
  minimum: 1,
  maximum: longestContent,
  description: 'The size of the whole content in bytes: at most 5 GiB.',
  examples: [1_048_576],
})

const uploadQuery = { ...fileQuery, scope: 'files:write' } as const

export const createFileUpload = mutation('create_file_upload', {
  ...fileMutation,
  http: 'POST /v1/files',
  summary: 'Create a File and begin the upload of its content.',
  description:
    'Send the content in parts to the addresses that `POST /v1/uploads/{upload_id}/part-urls` returns, then complete the upload. With room_id the File is added to the Room, as pending until it is ready, which requires edit access to the Room; with business_id it belongs to the Business, which requires that the Workspace has edit access to it. Without either, only you can open it. An upload expires after 24 hours without a new part, and after 7 days in any case. A person has at most 1,000 open uploads in a Workspace.',
  input: {
    name: FileName,
    content_type: ContentType,
    size_bytes: Size,
    sha256: T.Optional(Sha256),
    ...newFileInput,
  },
  rules: newFileRules,
  output: { file: File, new_version: FileVersion, upload: Upload, room_file: T.Optional(RoomFile) },
  status: 201,
  problems: ['forbidden', 'not_found', 'state_conflict', 'limit_reached', 'unavailable'],
  emits: ['file.created', 'file.added_to_room'],
})

export const addFileVersion = mutation('add_file_version', {
  ...fileMutation,
  http: 'POST /v1/files/{file_id}/versions',
  summary: 'Begin the upload of a new version of a File.',
  description:
    'Requires edit access to the File. The new version becomes the current one when it is ready; until then, and if it fails, the File keeps its current version.',
  input: {
    file_id: FileId,
    expected_revision: revision(),
    size_bytes: Size,
    sha256: T.Optional(Sha256),
    content_type: T.Optional(ContentType),
  },
  output: { file: File, new_version: FileVersion, upload: Upload },
  status: 201,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict', 'limit_reached', 'unavailable'],
  emits: ['file.version_added'],
})

export const listUploads = query('list_uploads', {
  ...uploadQuery,
  http: 'GET /v1/uploads',
  summary: 'List your uploads.',
  description: 'The list is sorted by ID. With a filter, a page may have fewer items than limit, or none.',
  input: {
    file_id: T.Optional(FileId),
    status: T.Optional(oneOf(uploadStatuses, 'Only uploads with this status.')),
    cursor: T.Optional(idCursor('upl')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Upload),
  problems: ['unavailable'],
})

export const getUpload = query('get_upload', {
  ...uploadQuery,
  http: 'GET /v1/uploads/{upload_id}',
  summary: 'Retrieve an upload.',
  description: 'You see your own uploads, and those of Files that you may edit.',
  input: { upload_id: UploadId },
  output: { upload: Upload },
  problems: ['not_found', 'unavailable'],
})

export const createPartUrls = query('create_part_urls', {
  ...uploadQuery,
  http: 'POST /v1/uploads/{upload_id}/part-urls',
  summary: 'Get addresses to send parts to.',
  description:
    'Send each part as the body of a PUT request to its address, with its headers and no credential. Parts may be sent at the same time and again; the last one received counts. Nothing is changed by this request, so no Idempotency-Key is needed. Keep the addresses secret until they expire.',
  input: {
    upload_id: UploadId,
    part_numbers: T.Array(T.Integer({ minimum: 1, maximum: 10_000 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'The numbers of the parts, which count from 1.',
      examples: [[1]],
    }),
  },
  output: {
    parts: T.Array(
      open({
        part_number: T.Integer(),
        method: openSet(['PUT']),
        url: T.String(),
        headers: T.Record(T.String(), T.String(), { description: 'The headers to send with the part.' }),
        size_bytes: T.Integer({ description: 'The size that the part must have.' }),
        expires_at: dateTime(),
      }),
    ),
  },
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'unavailable'],
})

export const uploadContent = mutation('upload_content', {
  ...uploadQuery,
  http: 'POST /v1/uploads/{upload_id}/content',
  summary: 'Send the whole content of a small upload at once.',
  description:
    'For content of at most 4 MiB, instead of parts. Requires edit access to the File. Then complete the upload.',
  input: {
    upload_id: UploadId,
    content: T.Unsafe<string>({
      type: 'string',
      maxLength: 5_592_408,
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      description: 'The content in base64, at most 4 MiB decoded. It must have the size of the upload.',
      examples: ['UHJvZml0IGFuZCBsb3Nz'],
    }),
  },
  output: { upload: Upload },
  status: 200,
  body_limit: 8 * 1024 * 1024,
  limits: ['content'],
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'unavailable'],
  emits: [],
})

export const completeUpload = mutation('complete_upload', {
  ...fileMutation,
  http: 'POST /v1/uploads/{upload_id}/complete',
  summary: 'Complete an upload.',
  description:
    'Size and SHA-256 are checked over the stored content. If they are not as announced, the version fails. Otherwise it is processed, and then becomes ready or fails; its status says so.',
  input: { upload_id: UploadId, sha256: T.Optional(Sha256) },
  output: { file: File, new_version: FileVersion, upload: Upload },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'unavailable'],
  emits: ['file.failed'],
})

export const abortUpload = mutation('abort_upload', {
  ...fileMutation,
  http: 'POST /v1/uploads/{upload_id}/abort',
  summary: 'Abort an upload.',
  description: 'The stored parts are deleted and the version fails. Aborting again changes nothing.',
  input: { upload_id: UploadId },
  output: { file: File, new_version: FileVersion, upload: Upload },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'unavailable'],
  emits: ['file.failed'],
})
