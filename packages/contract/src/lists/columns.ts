import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation } from '../operation.ts'
import { nullable, oneOf, open, openSet, uuid } from '../schema.ts'
import { ColumnName, expectedVersion, ListId, listMutation } from './lists.ts'
import { valueTypes } from '../typed-values.ts'

const ColumnRecord = open({
  column_id: uuid(),
  name: T.String(),
  value_type: openSet(valueTypes),
  position: nullable(T.Integer({ description: 'From 0, without gaps. Null if the column is archived.' })),
  list_id: ListId,
  version: T.Integer({ description: 'The version of the List now.' }),
})

const changeOfColumn = { ...listMutation, output: { data: ColumnRecord } } as const

/** The types of its events, and the feed that shows each. */
export const listColumnEvents = {
  'list.column_created': audit,
  'list.column_updated': audit,
  'list.column_archived': audit,
  'list.column_restored': audit,
} as const

const ofColumn = {
  list_id: ListId,
  column_id: uuid('The ID of the column.'),
  expected_version: expectedVersion,
} as const

export const createListColumn = mutation('create_list_column', {
  ...changeOfColumn,
  http: 'POST /v1/lists/{list_id}/columns',
  summary: 'Add a column to a List.',
  description:
    'The column becomes the last one. Its values are private to the List and never change the facts of a Business. A List has at most 100 columns, and at most 1,000 with archived ones.',
  input: {
    list_id: ListId,
    name: ColumnName,
    value_type: oneOf(valueTypes, 'The type of its values. It cannot change.'),
    expected_version: expectedVersion,
  },
  status: 201,
  problems: ['not_found', 'limit_reached', 'revision_conflict'],
  emits: ['list.column_created'],
})

export const updateListColumn = mutation('update_list_column', {
  ...changeOfColumn,
  http: 'PATCH /v1/lists/{list_id}/columns/{column_id}',
  summary: 'Rename or move a column.',
  description: 'The other columns move up or down to make room. The value_type of a column cannot change.',
  input: {
    ...ofColumn,
    name: T.Optional(ColumnName),
    position: T.Optional(
      T.Integer({
        minimum: 0,
        maximum: 99,
        examples: [0],
        description: 'The new position, from 0. A position after the last one means the last one.',
      }),
    ),
  },
  rules: [{ rule: 'some', fields: ['name', 'position'] }],
  status: 200,
  problems: ['not_found', 'state_conflict', 'revision_conflict'],
  emits: ['list.column_updated'],
})

export const archiveListColumn = mutation('archive_list_column', {
  ...listMutation,
  http: 'POST /v1/lists/{list_id}/columns/{column_id}/archive',
  summary: 'Archive a column.',
  description: 'The column is hidden. Its values and their history are kept.',
  input: ofColumn,
  output: {
    data: open({
      list_id: ListId,
      version: T.Integer({ description: 'The version of the List now.' }),
      column_id: uuid(),
      archived: T.Boolean(),
    }),
  },
  status: 200,
  problems: ['not_found', 'revision_conflict'],
  emits: ['list.column_archived'],
})

export const restoreListColumn = mutation('restore_list_column', {
  ...changeOfColumn,
  http: 'POST /v1/lists/{list_id}/columns/{column_id}/restore',
  summary: 'Restore an archived column.',
  description: 'The column becomes the last one, with the values that it had.',
  input: ofColumn,
  status: 200,
  problems: ['not_found', 'state_conflict', 'limit_reached', 'revision_conflict'],
  emits: ['list.column_restored'],
})
