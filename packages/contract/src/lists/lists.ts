import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import {
  closed,
  component,
  dateTime,
  id,
  idCursor,
  lineOfText,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  trimmedText,
  uuid,
} from '../schema.ts'
import { valueTypes } from '../typed-values.ts'
import { GivenRule, RuleRecord } from './rules.ts'
import { stateMachine } from '../state-machine.ts'

export const ListId = id('list')

const schemaVersions = ['svc.list.v1'] as const
const subjectTypes = ['business'] as const
export const lifecycleStatuses = ['active', 'restricted', 'archived'] as const

/** Only operators restrict a List and lift the restriction. */
export const listMachine = stateMachine(lifecycleStatuses, 'active', {
  update: { active: 'active', restricted: 'restricted', archived: 'archived' },
  set_value: { active: 'active' },
  archive: { active: 'archived', archived: 'archived' },
  restore: { archived: 'active' },
  restrict: { active: 'restricted' },
  lift_restriction: { restricted: 'active' },
})

/** What the number of members is known to be. */
const countStatuses = ['unknown', 'computing', 'exact', 'estimated', 'stale'] as const

export type CountStatus = (typeof countStatuses)[number]

export const Count = component(
  'ListCount',
  open({
    status: openSet(countStatuses),
    value: nullable(
      T.Integer({ description: 'The number of members that you can see. Null if it is unknown.' }),
    ),
    as_of: nullable(dateTime('When the members were counted.')),
  }),
)

export const List = component(
  'List',
  open({
    id: ListId,
    workspace_id: uuid(),
    name: T.String(),
    description: nullable(T.String()),
    definition: open({
      schema_version: openSet(schemaVersions),
      subject_type: openSet(subjectTypes),
      rule: RuleRecord,
    }),
    version: T.Integer({
      description: 'Raised by every change of the definition, the columns, the overrides and the values.',
    }),
    lifecycle_status: openSet(lifecycleStatuses),
    count: Count,
    columns: T.Array(
      open({
        column_id: uuid(),
        name: T.String(),
        value_type: openSet(valueTypes),
        position: nullable(
          T.Integer({ description: 'From 0, without gaps. Null if the column is archived.' }),
        ),
        archived_at: T.Optional(nullable(dateTime('Only with include_archived.'))),
      }),
    ),
    created_at: dateTime(),
    updated_at: dateTime(),
    archived_at: nullable(dateTime()),
  }),
)

/** The version that the caller read. The change is refused with revision_conflict if the List has another one now. */
export const expectedVersion = T.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 1,
  examples: [1],
  description:
    'The version that you read. If the List has another version now, nothing changes and the answer is revision_conflict.',
})

const Name = lineOfText(200, { description: 'The name of the List.', example: 'HVAC in Ohio and Indiana' })

const Description = linesOfText(10_000, {
  description: 'A description of the List.',
  example: 'Founded before 2005 and still active.',
})

const ruleExample = {
  kind: 'and',
  rules: [
    { kind: 'field', field: 'state', operator: 'in', value: ['OH', 'IN'] },
    { kind: 'field', field: 'naics_code', operator: 'naics', value: { code: '23822', vintage: '2022' } },
    { kind: 'field', field: 'founded_on', operator: 'before', value: '2005-01-01' },
    { kind: 'field', field: 'status', operator: 'eq', value: 'active' },
  ],
}

export const Definition = T.Unsafe<{
  schema_version: (typeof schemaVersions)[number]
  subject_type: (typeof subjectTypes)[number]
  rule: object
}>({
  ...closed({
    schema_version: oneOf(schemaVersions, 'The version of the grammar.'),
    subject_type: oneOf(subjectTypes, 'What the members are. It cannot change after creation.'),
    rule: GivenRule,
  }),
  description: 'The whole definition: which Businesses are members.',
  examples: [{ schema_version: 'svc.list.v1', subject_type: 'business', rule: ruleExample }],
})

export const ColumnName = lineOfText(200, { description: 'The name of the column.', example: 'Owner age' })

export const NewColumn = closed({
  name: ColumnName,
  value_type: oneOf(valueTypes, 'The type of its values. It cannot change.'),
})

const common = { tag: 'Lists', audience: 'workspace' } as const

/** What every query of Lists declares. */
export const listQuery = { ...common, scope: 'lists:read' } as const

/** What every change of a List declares. */
export const listMutation = {
  ...common,
  scope: 'lists:write',
  receipt: operationReceipt,
  tagged: 'v',
} as const

const changeOfList = { ...listMutation, output: { data: List } } as const

/** The types of its events, and the feed that shows each. */
export const listEvents = {
  'list.created': audit,
  'list.updated': audit,
  'list.archived': audit,
  'list.restored': audit,
} as const

const includeArchived = T.Boolean({
  default: false,
  description: 'Whether to show archived columns too, with archived_at.',
})

export const createList = mutation('create_list', {
  ...changeOfList,
  http: 'POST /v1/lists',
  summary: 'Create a List.',
  description:
    'The members of a List follow from its rule: published Businesses, and drafts and withdrawn Businesses of the Workspace. Everybody in the Workspace who may read Lists sees it. A Workspace has at most 10,000 Lists.',
  input: {
    name: Name,
    description: T.Optional(nullable(Description)),
    definition: Definition,
    columns: T.Optional(
      T.Array(NewColumn, {
        maxItems: 100,
        description: 'The columns, in their order.',
        examples: [[{ name: 'Owner age', value_type: 'number' }]],
      }),
    ),
  },
  status: 201,
  problems: ['validation_error', 'limit_reached'],
  emits: ['list.created'],
})

export const getList = query('get_list', {
  ...listQuery,
  http: 'GET /v1/lists/{list_id}',
  summary: 'Retrieve a List.',
  input: { list_id: ListId, include_archived: T.Optional(includeArchived) },
  output: { data: List },
  problems: ['not_found'],
  tagged: 'v',
})

export const listLists = query('list_lists', {
  ...listQuery,
  http: 'GET /v1/lists',
  summary: 'List the Lists of the Workspace.',
  description:
    'Sorted by ID. A page of large Lists has fewer items than limit; continue while has_more is true.',
  input: {
    lifecycle_status: T.Optional(oneOf(lifecycleStatuses, 'Only Lists with this status.')),
    name: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 200,
        description: 'A part of the name. Case is ignored.',
        example: 'HVAC',
      }),
    ),
    include_archived: T.Optional(includeArchived),
    cursor: T.Optional(idCursor('list')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(List),
  problems: [],
})

export const updateList = mutation('update_list', {
  ...changeOfList,
  http: 'PATCH /v1/lists/{list_id}',
  summary: 'Update the name, the description or the definition of a List.',
  description:
    'A definition replaces the whole one; subject_type cannot change. Overrides and values stay. An archived or restricted List can be updated, and keeps its status.',
  input: {
    list_id: ListId,
    expected_version: expectedVersion,
    name: T.Optional(Name),
    description: T.Optional(nullable(Description)),
    definition: T.Optional(Definition),
  },
  rules: [{ rule: 'some', fields: ['name', 'description', 'definition'] }],
  status: 200,
  problems: ['validation_error', 'not_found', 'revision_conflict'],
  emits: ['list.updated'],
})

export const archiveList = mutation('archive_list', {
  ...changeOfList,
  http: 'POST /v1/lists/{list_id}/archive',
  summary: 'Archive a List.',
  description:
    'Its definition, overrides and values are kept and can be read. Values and overrides cannot be set until it is restored.',
  input: { list_id: ListId, expected_version: expectedVersion },
  status: 200,
  problems: ['not_found', 'state_conflict', 'revision_conflict'],
  emits: ['list.archived'],
})

export const restoreList = mutation('restore_list', {
  ...changeOfList,
  http: 'POST /v1/lists/{list_id}/restore',
  summary: 'Restore an archived List.',
  description: 'The List becomes active again, with its definition, overrides and values.',
  input: { list_id: ListId, expected_version: expectedVersion },
  status: 200,
  problems: ['not_found', 'state_conflict', 'revision_conflict'],
  emits: ['list.restored'],
})
