import type { FieldRule, Rule } from '@wbs/contract/lists/rules'
import { observationKeyOf } from './fact-types.ts'

/** The leaves of a checked rule that look at a fact, in their order. */
export function fieldRules(rule: Rule): FieldRule[] {
  switch (rule.kind) {
    case 'field':
      return [rule]
    case 'and':
    case 'or':
      return rule.rules.flatMap(fieldRules)
    case 'not':
      return fieldRules(rule.rule)
    default:
      return []
  }
}

/** The keys of the observations that a checked rule looks at: sorted, each once. */
export function observationKeys(rule: Rule): string[] {
  const keys = fieldRules(rule).map(leaf => observationKeyOf(leaf.field))
  return [...new Set(keys.filter(key => key !== null))].sort()
}

/** Whether a checked rule looks at observations, which are private to the Workspace. */
export const usesObservations = (rule: Rule): boolean =>
  fieldRules(rule).some(leaf => observationKeyOf(leaf.field) !== null)
