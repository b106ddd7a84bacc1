import { observationPrefix, type FieldRule, type Rule } from '@wbs/contract/lists/rules'
import { publishedFieldSql } from './field-sql.ts'
import { observationSql } from './observation-sql.ts'
import type { Placeholders } from '../../database/composed-read.ts'

/**
 * What is known of the observations of a Business.
 * - `read`: the statement reads them (joinObservationsSql).
 * - `none`: the Workspace has none.
 * - `unknown`: the condition holds only where the rule does whatever they are.
 */
export type Observations = 'read' | 'none' | 'unknown'

interface RuleContext {
  placeholders: Placeholders
  /** The day at which the rule is evaluated, in UTC. */
  today: string
  observations: Observations
}

/**
 * SQL: whether a rule holds for the Business in the row `p` of published_businesses, all of whose columns are null if it is
 * not published. It is never true where the rule does not hold, but may be null there. `true` and `false` stand for rules
 * that do not depend on the Business.
 */
export const ruleSql = (rule: Rule, context: RuleContext): string => compile(rule, context, true)

/** `isPositive`: false within an odd number of `not`, where an unknown leaf has to be taken as true. */
function compile(rule: Rule, context: RuleContext, isPositive: boolean): string {
  switch (rule.kind) {
    case 'all':
      return 'true'
    case 'none':
      return 'false'
    case 'not':
      return negated(compile(rule.rule, context, !isPositive))
    case 'and':
    case 'or':
      return joined(
        rule.kind,
        rule.rules.map(rule => compile(rule, context, isPositive)),
      )
    default:
      return rule.field.startsWith(observationPrefix)
        ? observedSql(rule, context, isPositive)
        : publishedFieldSql(rule, context.placeholders, context.today)
  }
}

function observedSql(
  leaf: FieldRule,
  { observations, placeholders, today }: RuleContext,
  isPositive: boolean,
): string {
  if (observations === 'read') return observationSql(leaf, placeholders, today)
  if (observations === 'none') return String(leaf.operator === 'is_not_set')
  return String(!isPositive)
}

/** SQL: the complement of a rule. A fact that is missing makes a leaf null, whose complement is true. */
export function negated(sql: string): string {
  if (sql === 'true') return 'false'
  return sql === 'false' ? 'true' : `((${sql}) is not true)`
}

function joined(kind: 'and' | 'or', parts: readonly string[]): string {
  const [deciding, neutral] = kind === 'and' ? ['false', 'true'] : ['true', 'false']
  if (parts.includes(deciding)) return deciding
  const rest = parts.filter(part => part !== neutral)
  if (rest.length === 0) return neutral
  return rest.length === 1 ? (rest[0] as string) : `(${rest.join(` ${kind} `)})`
}
