import { T } from '../json/type.ts'
import { activity, changed } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import {
  component,
  dateTime,
  id,
  idCursor,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  trimmedText,
} from '../schema.ts'
import { accessLevels } from '../scopes.ts'
import { FileVersion, processingErrors, processingStatuses } from './version-schema.ts'
import { stateMachine } from '../state-machine.ts'

export const FileId = id('fil')

export const classifications = [
  'financial',
  'tax',
  'legal',
  'corporate',
  'commercial',
  'operations',
  'hr',
  'ip',
  'property',
  'insurance',
  'compliance',
  'valuation',
  'other',
] as const

export type Classification = (typeof classifications)[number]

const lifecycles = ['active', 'archived'] as const

export const fileMachine = stateMachine(lifecycles, 'active', {
  update: { active: 'active' },
  add_version: { active: 'active' },
  attach: { active: 'active' },
  archive: { active: 'archived', archived: 'archived' },
  restore: { archived: 'active' },
})

const origins = ['upload', 'text', 'import', 'generated', 'connection'] as const

export type FileOrigin = (typeof origins)[number]

export const File = component(
  'File',
  open({
    file_id: FileId,
    business_id: T.Optional(id('biz')),
    name: T.String(),
    description: nullable(T.String()),
    classification: openSet(classifications),
    tags: T.Array(T.String()),
    origin: openSet(origins),
    lifecycle: openSet(lifecycles),
    current_version: FileVersion,
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
    archived_at: nullable(dateTime()),
    access_level: openSet(accessLevels),
  }),
)

const noSlash = '[^\\u0000-\\u001f\\u007f-\\u009f/\\\\]'
const noSlashNoDot = '[^\\u0000-\\u001f\\u007f-\\u009f/\\\\.]'

/** A name of at most 255 characters that is neither `.` nor `..`, which mean folders. */
const segment = `(?:\\.?${noSlashNoDot}${noSlash}{0,254}|\\.\\.${noSlash}{1,253})`

export const FileName = trimmedText({
  minLength: 1,
  maxLength: 255,
  pattern: `^${segment}$`,
  description:
    'The name of the File, with its extension. One line, without slashes, backslashes or control characters. White space at the ends is removed.',
  example: 'Profit and loss 2025.md',
})

export const IndexPath = trimmedText({
  minLength: 1,
  maxLength: 1000,
  pattern: `^${segment}(?:/${segment})*$`,
  description:
    'The place of the File in the index of the Room: names separated by slashes, of which the last is its own. By default it is the name of the File.',
  example: 'Financials/2025/Profit and loss 2025.md',
})

const Description = linesOfText(10_000, {
  description: 'A description of the File.',
  example: 'Accrual basis, reviewed by the accountant.',
})

const Tags = T.Array(
  trimmedText({
    minLength: 1,
    maxLength: 50,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
    description: 'A tag. One line, without control characters.',
    example: '2025',
  }),
  { maxItems: 20, uniqueItems: true, description: 'At most 20 different tags.' },
)

/** What describes a new File besides its name and content. */
export const newFileInput = {
  description: T.Optional(nullable(Description)),
  classification: T.Optional(oneOf(classifications, 'What the File is about. By default it is other.')),
  tags: T.Optional(Tags),
  business_id: T.Optional(id('biz')),
  room_id: T.Optional(id('rom')),
  index_path: T.Optional(IndexPath),
} as const

/** The rules of `newFileInput`. */
export const newFileRules = [{ rule: 'requires', field: 'index_path', needs: 'room_id' }] as const

const common = { tag: 'Files', audience: 'workspace', guests: true } as const

/** What every query of Files declares. */
export const fileQuery = { ...common, scope: 'files:read' } as const

/** What every change of a File declares. */
export const fileMutation = {
  ...common,
  scope: 'files:write',
  receipt: operationReceipt,
  output: { file: File },
  tagged: 'r',
} as const

/** What the events about the processing of a version hold. */
const versionInEvent = { file_version_id: T.String(), version_number: T.Integer() }

/** The types of its events, and the feed that shows each. */
export const fileEvents = {
  'file.created': activity(),
  'file.version_added': activity({ version_number: T.Integer() }),
  'file.ready': activity(versionInEvent),
  'file.failed': activity({ ...versionInEvent, processing_error: T.Optional(openSet(processingErrors)) }),
  'file.updated': activity({ changed: changed() }),
  'file.archived': activity(),
  'file.restored': activity(),
} as const

export const getFile = query('get_file', {
  ...fileQuery,
  http: 'GET /v1/files/{file_id}',
  summary: 'Retrieve a File.',
  description:
    'You see a File if you created it as a member of the Workspace, if you can open a Room that has it, or if it belongs to a Business of the Workspace that you can read. Your access level is the highest that one of these gives you: full access to your own Files, your level on the File in the Room, view for Files of a Business.',
  input: { file_id: FileId },
  output: { file: File },
  problems: ['not_found'],
  tagged: 'r',
})

export const listFiles = query('list_files', {
  ...fileQuery,
  http: 'GET /v1/files',
  summary: 'List the Files that you can open.',
  description:
    'The list is sorted by ID. With a filter, a page may have fewer items than limit, or none; continue while has_more is true.',
  input: {
    business_id: T.Optional(id('biz')),
    room_id: T.Optional(id('rom')),
    classification: T.Optional(oneOf(classifications, 'Only Files with this classification.')),
    tag: T.Optional(
      trimmedText({ minLength: 1, maxLength: 50, description: 'Only Files with this tag.', example: '2025' }),
    ),
    lifecycle: T.Optional(
      oneOf(lifecycles, 'Only Files in this state. By default, active and archived ones.'),
    ),
    name: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 255,
        description: 'A part of the name. Case is ignored.',
        example: 'loss',
      }),
    ),
    processing_status: T.Optional(
      oneOf(processingStatuses, 'Only Files whose current version has this status.'),
    ),
    cursor: T.Optional(idCursor('fil')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(File),
  problems: ['not_found'],
})

export const updateFile = mutation('update_file', {
  ...fileMutation,
  http: 'PATCH /v1/files/{file_id}',
  summary: 'Update the name, description, classification or tags of an active File.',
  description: 'Requires edit access to the File.',
  input: {
    file_id: FileId,
    expected_revision: revision(),
    name: T.Optional(FileName),
    description: T.Optional(nullable(Description)),
    classification: T.Optional(oneOf(classifications, 'What the File is about.')),
    tags: T.Optional(Tags),
  },
  rules: [{ rule: 'some', fields: ['name', 'description', 'classification', 'tags'] }],
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['file.updated'],
})

export const archiveFile = mutation('archive_file', {
  ...fileMutation,
  http: 'POST /v1/files/{file_id}/archive',
  summary: 'Archive a File.',
  description:
    'Requires full access to the File. Its versions are kept and it can still be read, in its Rooms too; it takes no new versions and cannot be attached to Rooms.',
  input: { file_id: FileId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'revision_conflict'],
  emits: ['file.archived'],
})

export const restoreFile = mutation('restore_file', {
  ...fileMutation,
  http: 'POST /v1/files/{file_id}/restore',
  summary: 'Restore an archived File.',
  description: 'Requires full access to the File. The File becomes active again.',
  input: { file_id: FileId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['file.restored'],
})
