import { mutation, query } from '@wbs/contract/operation'
import { T } from '@wbs/contract/json/type'

// Operations of every kind for the type checks in this folder. None is ever run.

const renaming = {
  http: 'POST /v1/rename',
  summary: 'Change a name.',
  tag: 'Tests',
  audience: 'workspace',
  scope: 'rooms:write',
  input: { name: T.String() },
  output: { name: T.String(), count: T.Integer() },
  status: 200,
  emits: ['workspace.created'],
  problems: ['not_found'],
} as const

export const rename = mutation('rename', renaming)
export const renameSilently = mutation('rename_silently', { ...renaming, emits: [] })
export const renameTagged = mutation('rename_tagged', { ...renaming, tagged: 'r' })
export const renameOne = mutation('rename_one', {
  ...renaming,
  http: 'POST /v1/things/{thing_id}',
  input: { thing_id: T.String(), name: T.String() },
})
export const found = mutation('found', {
  ...renaming,
  http: 'POST /v1/found',
  audience: 'signed_in',
  input: {},
  output: { name: T.String() },
  emits: [],
})

const looking = {
  http: 'GET /v1/look',
  summary: 'Read a name.',
  tag: 'Tests',
  audience: 'workspace',
  scope: 'rooms:read',
  input: { at: T.Optional(T.String()) },
  output: { name: T.String() },
  problems: ['not_found'],
} as const

export const look = query('look', looking)
export const lookTagged = query('look_tagged', { ...looking, tagged: 'v' })
export const lookAnywhere = query('look_anywhere', { ...looking, audience: 'anyone' })
