import type { Placeholders } from '../../database/composed-read.ts'
import { memberPartsSql, unionOfParts } from '../members/member-parts-sql.ts'
import type { MemberSelection } from '../members/member-selection.ts'
import { createMemberStatement } from '../members/member-statement.ts'
import { membersAmongSql } from '../members/members-among-sql.ts'
import type { Membership } from '../members/membership.ts'
import type { EntryFilter } from './entry-filter.ts'
import { divideFilter, otherColumnsSql, startSql } from './filter-sql.ts'

/** Which members of a List a statement selects. */
export interface FilteredMembers {
  membership: Membership
  filter: EntryFilter
  source?: 'rule' | 'override' | undefined
}

interface MembersToSelect extends Pick<MemberSelection, 'columns'> {
  /** A condition on the id of each Business, by which a page is found. */
  rangeSql?(id: string, placeholders: Placeholders): string
  /** What comes after the conditions of each part, such as an order and a limit. The whole has to repeat it. */
  restSql?(id: string, placeholders: Placeholders): string
}

/** A part of a statement that selects the members that a filter leaves. */
interface MembersSql {
  placeholders: Placeholders
  /** Null if there can be none. */
  text: string | null
}

/**
 * SQL that selects the members of a List that a filter leaves, each once. If the filter requires a value, it starts from the
 * values of a column, because they are fewer than the Businesses for which a rule may hold.
 */
export function filteredMembersSql(
  { membership, filter, source }: FilteredMembers,
  { columns = '', ...given }: MembersToSelect,
): MembersSql {
  const statement = createMemberStatement(membership)
  const { placeholders } = statement
  const context = { today: membership.today, placeholders }
  const rangeSql = (id: string) => given.rangeSql?.(id, placeholders) ?? 'true'
  const restSql = (id: string) => given.restSql?.(id, placeholders) ?? ''
  const divided = divideFilter(filter)
  const { start } = divided
  if (start) {
    const conditionSql = (id: string) => otherColumnsSql(id, divided, context)
    const ids = startSql(start, rangeSql, context)
    return { placeholders, text: membersAmongSql(statement, ids, { columns, conditionSql, restSql, source }) }
  }
  const conditionSql = (id: string) => `${rangeSql(id)} and ${otherColumnsSql(id, divided, context)}`
  const parts = memberPartsSql(statement, { columns, conditionSql, restSql, source })
  return { placeholders, text: unionOfParts(parts) }
}
