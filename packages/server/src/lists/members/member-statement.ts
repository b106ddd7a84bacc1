import type { Rule } from '@wbs/contract/lists/rules'
import { createPlaceholders, type Placeholders } from '../../database/composed-read.ts'
import { observationKeys } from '../rules/leaves.ts'
import { ruleSql, type Observations } from '../rules/rule-sql.ts'
import type { Membership } from './membership.ts'

/**
 * A statement about the members of a List, while it is composed. Its text names the viewer as `:workspace_id` and
 * `:reads_businesses`, and the List as `:list_id`.
 */
export interface MemberStatement {
  membership: Membership
  placeholders: Placeholders
  /** The keys of the observations that the rule compares and the viewer sees. */
  keys: readonly string[]
}

export const createMemberStatement = (membership: Membership): MemberStatement => ({
  membership,
  placeholders: createPlaceholders({ ...membership.viewer, list_id: membership.list_id }),
  keys: membership.viewer.reads_businesses ? observationKeys(membership.rule) : [],
})

/** What is known of the observations of a linked Business: nothing, unless the statement has to read some. */
export const observationsOfLinked = ({ keys }: MemberStatement): Observations =>
  keys.length > 0 ? 'read' : 'none'

/** SQL: whether a rule, by default that of the List, holds for the Business in `p`. */
export const holdsSql = (
  { membership, placeholders }: MemberStatement,
  observations: Observations,
  rule: Rule = membership.rule,
): string => ruleSql(rule, { placeholders, today: membership.today, observations })
