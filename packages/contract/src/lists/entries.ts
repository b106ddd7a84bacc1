import { T } from '../json/type.ts'
import { business, businessFields } from '../businesses/businesses.ts'
import { query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, id, nullable, oneOf, open, openSet, queryList, uuid } from '../schema.ts'
import { ListId, listQuery } from './lists.ts'
import { TypedValue } from '../typed-values.ts'

export const memberId = id('biz')

export const entrySources = ['rule', 'override'] as const

export const Entry = component(
  'ListEntry',
  open({
    member_id: memberId,
    subject: open({ type: openSet(['business']), id: memberId, name: nullable(T.String()) }),
    source: openSet(entrySources),
    values: T.Array(open({ column_id: uuid(), value: TypedValue })),
    projection: openSet(['public', 'workspace']),
    business: T.Optional(open(business)),
  }),
)

const version = T.Integer({ description: 'The version of the List.' })
const asOf = dateTime('The moment at which the rule was evaluated.')

/** Members are read with a permission of their own, besides the one to read Lists. */
export const memberQuery = { ...listQuery, scope: ['lists:read', 'list_members:read'] } as const

const columnIds = queryList(uuid(), {
  repeatable: false,
  maxItems: 100,
  description:
    'Only the values of these columns. By default, of all columns. Columns that are archived, or that the List does not have, are left out.',
})

const fields = queryList(oneOf(businessFields), {
  repeatable: true,
  maxItems: 100,
  description: 'Facts of each Business to return in business. By default none.',
})

export const listListEntries = query('list_list_entries', {
  ...memberQuery,
  http: 'GET /v1/lists/{list_id}/entries',
  summary: 'List the members of a List with their values.',
  description:
    'The members are evaluated for you on every page: of the Businesses that the Workspace can see, those that meet the rule or are included, and are not excluded. Without sort they are sorted by ID. A page may have fewer items than limit, or none, while has_more is true: each request examines a limited number of Businesses, and returns a limited amount of text. Keep filter and sort unchanged while you follow a cursor.',
  input: {
    list_id: ListId,
    column_ids: T.Optional(columnIds),
    fields: T.Optional(fields),
    source: T.Optional(
      oneOf(entrySources, 'Only members by the rule, or only those that are members by an override alone.'),
    ),
    sort: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^-?(?:name|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
        description:
          'name or the ID of a column; with - before it, descending. Entries without a value come last in both directions, and ties are sorted by ID. Names and texts are sorted without regard to case, false before true, and texts by their first 200 characters. At most 10,000 members can be sorted; if filter leaves more, the answer is unprocessable_content.',
        examples: ['-name'],
      }),
    ),
    filter: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        minLength: 1,
        maxLength: 8000,
        description:
          'A JSON document: {"column_id", "operator", "value"} or {"and": [1 to 10 of them]}. The operators are those of rules, by the type of the column, and is_set and is_not_set without a value. Texts are compared without regard to case. A column that is archived, or that the List does not have, is an error.',
        examples: ['{"column_id":"0190c1a2-0000-7000-8000-000000000000","operator":"gt","value":60}'],
      }),
    ),
    cursor: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        minLength: 1,
        maxLength: 4000,
        pattern: '^[A-Za-z0-9_.-]+$',
        examples: ['biz_01JD3M4N5P6Q7R8S9T0VWXYZAB'],
        description:
          'The page.cursor of the previous page: the ID of a Business or, with sort, an opaque text.',
      }),
    ),
    limit: T.Optional(pageLimit),
  },
  output: { ...listOf(Entry), version, as_of: asOf },
  problems: ['validation_error', 'not_found', 'unprocessable_content'],
})

export const getListEntry = query('get_list_entry', {
  ...memberQuery,
  http: 'GET /v1/lists/{list_id}/entries/{member_id}',
  summary: 'Retrieve a member of a List with its values.',
  description: 'A Business that is not a member is not found.',
  input: {
    list_id: ListId,
    member_id: memberId,
    column_ids: T.Optional(columnIds),
    fields: T.Optional(fields),
  },
  output: { data: Entry, version, as_of: asOf },
  problems: ['not_found'],
})
