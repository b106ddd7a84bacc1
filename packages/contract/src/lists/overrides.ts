import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { dateTime, idCursor, linesOfText, nullable, oneOf, open, openSet, uuid } from '../schema.ts'
import { memberId, memberQuery } from './entries.ts'
import { expectedVersion, ListId, listMutation } from './lists.ts'

export const overrideModes = ['include', 'exclude'] as const

/** The types of its events, and the feed that shows each. */
export const listOverrideEvents = { 'list.override_set': audit } as const

const Override = {
  member_id: memberId,
  mode: nullable(openSet(overrideModes)),
  reason: nullable(T.String()),
  expires_at: nullable(dateTime()),
  list_id: ListId,
}

export const setListOverride = mutation('set_list_override', {
  ...listMutation,
  scope: ['lists:write', 'lists:read', 'list_members:read'],
  http: 'PUT /v1/lists/{list_id}/overrides/{member_id}',
  summary: 'Include a Business in a List or exclude it, whatever the rule says.',
  description:
    'The Workspace must see the Business. The override replaces an earlier one and outlives changes of the rule; null removes it. A List has at most 10,000 overrides.',
  input: {
    list_id: ListId,
    member_id: memberId,
    mode: nullable(oneOf(overrideModes, 'What the override does, or null to remove it.')),
    reason: T.Optional(
      nullable(linesOfText(2000, { description: 'Why it was set.', example: 'The owner asked us to wait.' })),
    ),
    expires_at: T.Optional(nullable(dateTime('When the override ends. Must be in the future.'))),
    expected_version: expectedVersion,
  },
  output: {
    data: open({ ...Override, version: T.Integer({ description: 'The version of the List now.' }) }),
  },
  status: 200,
  problems: ['validation_error', 'not_found', 'state_conflict', 'limit_reached', 'revision_conflict'],
  emits: ['list.override_set'],
})

export const listListOverrides = query('list_list_overrides', {
  ...memberQuery,
  http: 'GET /v1/lists/{list_id}/overrides',
  summary: 'List the overrides of a List.',
  description:
    'Sorted by the ID of the member; those of Businesses that the Workspace cannot see are left out. Expired ones are listed too, with their expires_at.',
  input: {
    list_id: ListId,
    mode: T.Optional(oneOf(overrideModes, 'Only overrides with this mode.')),
    cursor: T.Optional(idCursor('biz')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(open({ ...Override, set_by: uuid('The user who set it.'), set_at: dateTime() })),
  problems: ['not_found'],
})
