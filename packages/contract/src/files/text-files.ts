import { T } from '../json/type.ts'
import { mutation } from '../operation.ts'
import { oneOf } from '../schema.ts'
import { File, fileMutation, FileName, newFileInput, newFileRules } from './files.ts'
import { RoomFile } from './room-file-schema.ts'
import { FileVersion } from './version-schema.ts'

export const textFormats = ['markdown', 'plain_text', 'csv', 'tsv', 'json'] as const

export const createTextFile = mutation('create_text_file', {
  ...fileMutation,
  http: 'POST /v1/files/text',
  summary: 'Create a File from text.',
  description:
    'The File is ready at once. Its content is the UTF-8 of the text, byte for byte. With room_id the File is added to the Room, which requires edit access to it; with business_id it belongs to the Business, which requires that the Workspace has edit access to it. Without either, only you can open it.',
  input: {
    name: FileName,
    content: T.String({
      maxLength: 1_048_576,
      description: 'The text: at most 1 MiB in UTF-8, without NUL characters. It may be empty.',
      examples: ['# Profit and loss 2025\n\nRevenue: 1,200,000\n'],
    }),
    format: T.Optional(
      oneOf(textFormats, 'The format of the text. By default it is markdown. JSON must be valid.'),
    ),
    ...newFileInput,
  },
  rules: newFileRules,
  output: { file: File, new_version: FileVersion, room_file: T.Optional(RoomFile) },
  status: 201,
  body_limit: 8 * 1024 * 1024,
  limits: ['content'],
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached', 'unavailable'],
  emits: ['file.created', 'file.added_to_room'],
})
