import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { dateTime, nullable, open, openSet } from '../schema.ts'
import { Entry, memberQuery } from './entries.ts'
import { Definition, List, ListId, listQuery } from './lists.ts'

export const previewList = query('preview_list', {
  ...memberQuery,
  http: 'POST /v1/lists/preview',
  summary: 'Show which Businesses a definition matches, before it is saved.',
  description:
    'With list_id, the overrides of that List apply, and added and removed compare with its members now. It changes nothing and needs no Idempotency-Key.',
  input: { definition: Definition, list_id: T.Optional(ListId) },
  output: {
    data: open({
      matched: T.Integer({ description: 'How many Businesses would be members.' }),
      matched_status: openSet(['exact', 'estimated']),
      sample: T.Array(Entry, { description: 'The first members by ID, at most 20.' }),
      added: nullable(
        T.Integer({ description: 'How many would become members. Null without list_id, or if unknown.' }),
      ),
      removed: nullable(
        T.Integer({
          description: 'How many would cease to be members. Null without list_id, or if unknown.',
        }),
      ),
      as_of: dateTime(),
      notes: T.Array(open({ pointer: T.String(), detail: T.String() }), {
        description: 'Parts of the rule that may match more or less than they seem to.',
      }),
    }),
  },
  problems: ['validation_error', 'not_found'],
})

export const countList = mutation('count_list', {
  ...listQuery,
  tagged: 'v',
  http: 'POST /v1/lists/{list_id}/count',
  summary: 'Count the members of a List.',
  description:
    'The count is as you see it. It has no version of its own and does not change that of the List. If counting takes too long, the count is estimated from a sample.',
  input: { list_id: ListId },
  output: { data: List },
  status: 200,
  problems: ['not_found'],
  emits: [],
})
