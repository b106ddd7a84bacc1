import { read, type Reader } from '../../database/statement.ts'
import { usesObservations } from '../rules/leaves.ts'
import type { Membership } from './membership.ts'
import { activeOverrideSql } from './override-sql.ts'

/**
 * For each of the Businesses a text that changes with everything on which its membership depends, besides the rule and the
 * day. Reading it takes no longer for a long rule.
 */
export async function memberStates(
  reader: Reader,
  { viewer: { workspace_id }, list_id, rule }: Membership,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reader.many(statesByIds, {
    workspace_id,
    list_id,
    member_ids: ids,
    uses_observations: usesObservations(rule),
  })
  return new Map(rows.map(({ id, state }) => [id, state]))
}

const writtenBySql = (row: string, condition: string) =>
  `(select x.xmin::text from ${row} x where ${condition})`

// An observation is added or retracted, and never changed otherwise.
const statesByIds = read<{ id: string; state: string }>(
  'list_member_states',
  `select s.id, concat_ws(' ',
       coalesce(${writtenBySql('published_businesses', 'x.id = s.id')}, '-'),
       coalesce(${writtenBySql('businesses', 'x.id = s.id')}, '-'),
       coalesce(${writtenBySql('workspace_businesses', 'x.workspace_id = :workspace_id and x.business_id = s.id')}, '-'),
       coalesce((
         select o.mode from list_overrides o
         where o.workspace_id = :workspace_id and o.list_id = :list_id and o.member_id = s.id
           and ${activeOverrideSql('o')}
       ), '-'),
       case when :uses_observations::boolean then (
         select count(*) || '/' || count(o.retracted_at) from business_observations o
         where o.workspace_id = :workspace_id and o.business_id = s.id
       ) end) as state
   from unnest(:member_ids::text[]) as s (id)`,
)
