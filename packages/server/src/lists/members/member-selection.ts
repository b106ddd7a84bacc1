import type { Rule } from '@wbs/contract/lists/rules'
import { usesObservations } from '../rules/leaves.ts'
import type { Observations } from '../rules/rule-sql.ts'
import { holdsSql, type MemberStatement } from './member-statement.ts'
import { isIncludedSql } from './override-sql.ts'

/** Which members a statement selects. Each has the columns `id`, `source`, `projection` and `name`. */
export interface MemberSelection {
  /** Further columns. */
  columns?: string
  /** A further condition on the Business with an id. */
  conditionSql?(id: string): string
  /** What comes after the conditions, such as an order and a limit. */
  restSql?(id: string): string
  /** Only members by the rule, or only those by an override alone. */
  source?: 'rule' | 'override' | undefined
}

/** Rules to compare. Each member has the columns `next_holds`, `now_holds` and `is_included`. */
export interface ComparedRules {
  next: Rule
  now: Rule
}

/** SQL: the columns that say which of two rules holds for the Business with an id, and whether an override includes it. */
export const comparedSql = (
  statement: MemberStatement,
  id: string,
  compared: ComparedRules | undefined,
  observations: Observations,
): string =>
  compared === undefined
    ? ''
    : `, (${holdsSql(statement, observations, compared.next)}) is true as next_holds,
      (${holdsSql(statement, observations, compared.now)}) is true as now_holds,
      ${isIncludedSql(statement, id)} as is_included`

/** SQL: `public` if public facts suffice for the rule, whatever the observations are. */
export function projectionSql(statement: MemberStatement): string {
  const suffices = usesObservations(statement.membership.rule) ? ` and ${holdsSql(statement, 'unknown')}` : ''
  return `case when p.id is not null${suffices} then 'public' else 'workspace' end`
}

/** SQL: the conditions that are not constant, joined. Null if one of them cannot be true. */
export function whereSql(conditions: readonly string[]): string | null {
  if (conditions.includes('false')) return null
  const rest = conditions.filter(condition => condition !== 'true')
  return rest.length > 0 ? `where ${rest.join(' and ')}` : ''
}
