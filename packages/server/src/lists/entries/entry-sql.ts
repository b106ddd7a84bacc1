import { businessFields, type BusinessField } from '@wbs/contract/businesses/businesses'
import type { Value } from '@wbs/contract/typed-values'
import type { Placeholders } from '../../database/composed-read.ts'
import { cutSql } from '../../call/page.ts'
import type { BusinessRow } from '../../businesses/business-view.ts'
import type { MemberRow } from '../members/member-store.ts'

/** What an answer shows of each member. */
export interface EntryContent {
  /** Only the values of these columns; null for all that are not archived. */
  column_ids: readonly string[] | null
  /** Facts of the Business. */
  fields: readonly BusinessField[]
}

export interface EntryRow extends MemberRow, Partial<Omit<BusinessRow, 'id' | 'name'>> {
  values: { column_id: string; value: Value }[]
}

/**
 * SQL: adds values and facts to the members that a statement selects. Without `offset 0` it takes as many buffers, but planning
 * takes longer: a page of a List of one takes 3.0 ms of the processor instead of 2.7.
 */
export const entriesSql = (membersSql: string, content: EntryContent, placeholders: Placeholders) => `
  select m.*, ${valuesSql(content, placeholders)} as values
    ${content.fields.length > 0 ? `, ${factColumnsSql}` : ''}
  from (${membersSql}) m
  ${content.fields.length > 0 ? 'cross join lateral (select * from business_projections v where v.id = m.id offset 0) v' : ''}`

// The member has the id and the name already.
const factColumnsSql = businessFields
  .filter(field => field !== 'id' && field !== 'name')
  .map(field => `v.${field}`)
  .join(', ')

/**
 * SQL: a page of members, in an order, cut off where their texts are long. Their sizes are known before any text is read, so a
 * page of a hundred long texts for each of a hundred members takes no memory.
 */
export const cutMembersSql = (
  membersSql: string,
  orderSql: string,
  content: EntryContent,
  placeholders: Placeholders,
): string =>
  cutSql(
    `select m.*, (select coalesce(sum(octet_length(v.text_value)), 0) ${fromValuesSql(content, placeholders)}) as bytes
     from (${membersSql}) m`,
    orderSql,
  )

const valuesSql = (content: EntryContent, placeholders: Placeholders) => `coalesce((
    select jsonb_agg(jsonb_build_object('column_id', c.id,
        'value', jsonb_build_object('value_type', c.value_type, 'value', ${valueJsonSql('v')})) order by c.position)
    ${fromValuesSql(content, placeholders)}), '[]')`

/** SQL: the values of the member `m` that are shown. */
const fromValuesSql = (
  { column_ids }: EntryContent,
  { shared }: Placeholders,
) => `from list_values v join list_columns c on c.workspace_id = v.workspace_id and c.id = v.column_id
    where v.workspace_id = :workspace_id and v.list_id = :list_id and v.member_id = m.id and c.position is not null
      ${column_ids ? `and c.id = any (${shared('column_ids', column_ids)}::uuid[])` : ''}`

/** SQL: the value of a row of list_values, in JSON. */
export const valueJsonSql = (
  value: string,
) => `coalesce(to_jsonb(${value}.text_value), to_jsonb(${value}.number_value),
  to_jsonb(${value}.boolean_value), to_jsonb(${value}.date_value))`
