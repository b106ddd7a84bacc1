import { businessFields, type BusinessField } from '@wbs/contract/businesses/businesses'
import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../../database/statement.ts'
import { holds } from '../rules/evaluate-rule.ts'
import { usesObservations } from '../rules/leaves.ts'
import { membersAmong, type MemberRow } from './member-store.ts'
import type { Membership, MemberViewer } from './membership.ts'
import { activeOverrideSql } from './override-sql.ts'
import { isJoinedVisibleSql, joinVisibleSql } from './visible-business-sql.ts'

/**
 * A member of a List, if the Business is one now. The rule is evaluated here for facts that a prepared statement reads,
 * because planning a statement that has the rule in it takes longer than the rest of a small change. A rule on observations
 * is evaluated in SQL.
 */
export async function memberWithId(
  reader: Reader,
  membership: Membership,
  id: Id<'biz'>,
): Promise<MemberRow | undefined> {
  const { viewer, list_id, rule, today } = membership
  if (usesObservations(rule)) return (await membersAmong(reader, membership, [id]))[0]
  const found = await factsOfBusiness(reader, viewer, list_id, id)
  if (!found || found.override_mode === 'exclude') return undefined
  const { name, is_published, override_mode, ...facts } = found
  const published = is_published ? { ...facts, name } : null
  if (holds(rule, { published, observations: new Map() }, today))
    return { id, source: 'rule', projection: published ? 'public' : 'workspace', name }
  return override_mode === 'include' ? { id, source: 'override', projection: 'workspace', name } : undefined
}

/** What a viewer knows of a Business, and whether an override of a List names it. Undefined if they cannot see it. */
export const factsOfBusiness = (
  reader: Reader,
  viewer: MemberViewer,
  list_id: string | null,
  member_id: Id<'biz'>,
): Promise<FoundBusiness | undefined> => reader.one(factsById, { ...viewer, list_id, member_id })

interface FoundBusiness extends Partial<Record<Exclude<BusinessField, 'name'>, string | null>> {
  name: string
  is_published: boolean
  override_mode: 'include' | 'exclude' | null
}

const publicColumns = businessFields.filter(field => field !== 'name').map(field => `p.${field}`)

const factsById = read<FoundBusiness>(
  'list_business_by_id',
  `select ${publicColumns.join(', ')}, coalesce(p.name, b.name) as name, p.id is not null as is_published,
     o.mode as override_mode
   from (select :member_id::text as id) s
   ${joinVisibleSql}
   left join list_overrides o on o.workspace_id = :workspace_id and o.list_id = :list_id and o.member_id = s.id
     and ${activeOverrideSql('o')}
   where ${isJoinedVisibleSql}`,
)
