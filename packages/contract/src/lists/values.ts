import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { ActorRecord } from '../receipts.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { closed, dateTime, nullable, open, openSet, uuid } from '../schema.ts'
import { memberId, memberQuery } from './entries.ts'
import { expectedVersion, ListId, listMutation } from './lists.ts'
import { givenValue, TypedValue } from '../typed-values.ts'

const GivenValue = givenValue({
  value_type: 'The type of the column.',
  description: 'The value, or null to clear it.',
  example: { value_type: 'number', value: 61 },
})

const ValueRecord = {
  member_id: memberId,
  column_id: uuid(),
  value: nullable(TypedValue),
  projection: openSet(['public', 'workspace']),
  list_id: ListId,
  version: T.Integer({ description: 'The version of the List now.' }),
}

/** The types of its events, and the feed that shows each. */
export const listValueEvents = {
  'list.value_set': audit,
  'list.values_set': audit,
} as const

const valueMutation = {
  ...listMutation,
  scope: ['list_values:write', 'lists:read', 'list_members:read'],
} as const

export const setListEntryValue = mutation('set_list_entry_value', {
  ...valueMutation,
  http: 'PUT /v1/lists/{list_id}/entries/{member_id}/values/{column_id}',
  summary: 'Set or clear a value of a member.',
  description:
    'The Business must be a member of the List now. The value is private to the List and never changes the facts of the Business.',
  input: {
    list_id: ListId,
    member_id: memberId,
    column_id: uuid('The ID of the column.'),
    value: nullable(GivenValue),
    expected_version: expectedVersion,
  },
  output: { data: open(ValueRecord) },
  status: 200,
  problems: ['validation_error', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['list.value_set'],
})

export const setListEntryValues = mutation('set_list_entry_values', {
  ...valueMutation,
  http: 'POST /v1/lists/{list_id}/values',
  summary: 'Set or clear up to 500 values at once.',
  description:
    'All values are written, or none: an invalid one is reported with its place. Each member and column may be named once. The version of the List rises by one.',
  input: {
    list_id: ListId,
    expected_version: expectedVersion,
    values: T.Array(
      closed({
        member_id: memberId,
        column_id: uuid('The ID of the column.'),
        value: nullable(GivenValue),
      }),
      { minItems: 1, maxItems: 500, description: 'The values to set.' },
    ),
  },
  output: {
    data: open({
      list_id: ListId,
      version: T.Integer({ description: 'The version of the List now.' }),
      values: T.Array(
        open({
          member_id: memberId,
          column_id: uuid(),
          value: nullable(TypedValue),
          projection: openSet(['public', 'workspace']),
        }),
      ),
    }),
  },
  status: 200,
  problems: ['validation_error', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['list.values_set'],
})

export const listListEntryValueHistory = query('list_list_entry_value_history', {
  ...memberQuery,
  http: 'GET /v1/lists/{list_id}/entries/{member_id}/values/{column_id}/history',
  summary: 'List what was written into a value of a member, newest first.',
  description: 'The Business must be a member of the List now.',
  input: {
    list_id: ListId,
    member_id: memberId,
    column_id: uuid('The ID of the column.'),
    cursor: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^[1-9][0-9]{0,9}$',
        description: 'The page.cursor of the previous page: a version of the List.',
      }),
    ),
    limit: T.Optional(pageLimit),
  },
  output: listOf(
    open({
      value: nullable(TypedValue),
      author: ActorRecord,
      via: nullable(
        open({
          kind: openSet(['app', 'agent', 'api_key']),
          name: nullable(T.String()),
          client_id: nullable(uuid()),
        }),
      ),
      written_at: dateTime(),
      version: T.Integer({ description: 'The version of the List that the change made.' }),
    }),
  ),
  problems: ['not_found'],
})
