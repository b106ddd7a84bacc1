import type { Id } from '@wbs/contract/ids'
import { readComposed } from '../../database/composed-read.ts'
import type { Reader } from '../../database/statement.ts'
import { createMemberStatement } from './member-statement.ts'
import { membersAmongSql } from './members-among-sql.ts'
import type { Membership } from './membership.ts'

/** A member of a List, for a viewer. */
export interface MemberRow {
  id: Id<'biz'>
  source: 'rule' | 'override'
  /** `public` where public facts suffice for the rule. */
  projection: 'public' | 'workspace'
  name: string
}

/** Those of the Businesses with these ids that are members now, in no order. */
export function membersAmong(
  reader: Reader,
  membership: Membership,
  ids: readonly string[],
): Promise<MemberRow[]> {
  const statement = createMemberStatement(membership)
  const { placeholders } = statement
  const given = `(select given.id from unnest(${placeholders.add('ids', ids)}::text[]) as given (id))`
  return readComposed(reader, placeholders, membersAmongSql(statement, given, {}), 'custom_plan')
}
