import type { FieldRule, Rule } from '@wbs/contract/lists/rules'
import { comparable } from './folded-text.ts'

/**
 * Whether the search index finds the published Businesses for which a rule can hold, by facts that few have: names, cities and
 * NAICS codes, but not states and statuses.
 */
export function isSelective(rule: Rule): boolean {
  switch (rule.kind) {
    case 'field':
      return isSelectiveLeaf(rule)
    case 'and':
      return rule.rules.some(isSelective)
    case 'or':
      return rule.rules.every(isSelective)
    default:
      return rule.kind === 'none'
  }
}

function isSelectiveLeaf({ field, operator, value }: FieldRule): boolean {
  if (operator === 'naics') return true
  if (operator === 'eq' || operator === 'in') return ['name', 'city', 'naics_code'].includes(field)
  // Only three letters or digits in a row are found.
  return (
    field === 'name' &&
    (operator === 'contains' || operator === 'starts_with') &&
    /[a-z0-9]{3}/.test(comparable(field, value as string))
  )
}
