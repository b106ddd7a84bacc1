import { T } from '../json/type.ts'
import { query } from '../operation.ts'
import { open, openSet } from '../schema.ts'
import { FileId, fileQuery } from './files.ts'
import { FileVersionId } from './version-schema.ts'

/** The version of a File to read: the named one, or the newest that is ready. */
export const versionInput = { file_id: FileId, file_version_id: T.Optional(FileVersionId) } as const

const FileContent = open({
  file_id: FileId,
  file_version_id: FileVersionId,
  file_name: T.String(),
  content_type: T.String(),
  encoding: openSet(['utf8', 'base64']),
  content: T.String(),
  size_bytes: T.Integer({ description: 'The bytes of the content in this page.' }),
  total_bytes: T.Integer(),
  offset: T.Integer(),
  next_offset: T.Integer({ description: 'The offset of the next page; total_bytes at the end.' }),
  has_more: T.Boolean(),
})

export const readFileContent = query('read_file_content', {
  ...fileQuery,
  http: 'POST /v1/files/{file_id}/content',
  summary: 'Read content of a File.',
  description:
    'Text is returned as UTF-8, in pages: continue with next_offset while has_more is true, and name file_version_id, because a new version may arrive between two pages. A page ends between two characters, so it may be shorter than max_bytes. Other content is returned as base64 if it has at most 256 KiB; download larger Files. Nothing is changed, so no Idempotency-Key is needed.',
  input: {
    ...versionInput,
    offset: T.Optional(
      T.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'The first byte to read. In text, it must be the first byte of a character.',
      }),
    ),
    max_bytes: T.Optional(
      T.Integer({
        minimum: 4,
        maximum: 262_144,
        default: 262_144,
        description: 'The longest page, in bytes.',
      }),
    ),
  },
  output: { file_content: FileContent },
  limits: ['content'],
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'download_required'],
})

export const getFileText = query('get_file_text', {
  ...fileQuery,
  http: 'GET /v1/files/{file_id}/text',
  summary: 'Retrieve the text that was found in a File.',
  description:
    'The text of PDF, DOCX, XLSX, CSV and text Files, by pages: of a PDF its pages, of a workbook its sheets.',
  input: {
    ...versionInput,
    page: T.Optional(
      T.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'The number of the page.' }),
    ),
  },
  output: {
    data: open({
      file_version_id: FileVersionId,
      page: T.Integer(),
      text: T.String({ description: 'Empty if there is no such page.' }),
      has_more: T.Boolean(),
      extraction: open({ status: openSet(['ready', 'pending', 'none', 'failed']), pages: T.Integer() }),
    }),
  },
  limits: ['content'],
  problems: ['not_found', 'state_conflict'],
})
