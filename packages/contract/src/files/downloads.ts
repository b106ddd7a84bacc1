import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { dateTime, nullable } from '../schema.ts'
import { operationReceipt } from '../receipts.ts'
import { versionInput } from './content.ts'
import { fileQuery } from './files.ts'

export const createDownloadLink = mutation('create_download_link', {
  ...fileQuery,
  scope: 'files:download',
  receipt: operationReceipt,
  http: 'POST /v1/files/{file_id}/download-links',
  summary: 'Create a link to download a File once.',
  description:
    'Whoever has the link can download the File without a credential, once, until it expires, and as long as you may still download the File yourself.',
  input: {
    ...versionInput,
    ttl_seconds: T.Optional(
      T.Integer({ minimum: 1, maximum: 300, default: 300, description: 'How long the link is valid.' }),
    ),
  },
  output: {
    url: nullable(T.String({ description: 'Shown only in this response; null in a replay.' })),
    expires_at: dateTime(),
  },
  status: 201,
  secrets: ['url'],
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: [],
})

export const downloadFile = query('download_file', {
  ...fileQuery,
  scope: 'files:download',
  http: 'GET /v1/files/{file_id}/download',
  summary: 'Download the content of a File.',
  description:
    'The answer is the content itself. Ranges and conditional requests are supported; the ETag is the SHA-256 of the content. An invitation to a Room may exclude downloading.',
  input: versionInput,
  output: {},
  answers: 'bytes',
  limits: ['content'],
  problems: ['forbidden', 'not_found', 'state_conflict'],
})
