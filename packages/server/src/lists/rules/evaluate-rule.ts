import type { BusinessField } from '@wbs/contract/businesses/businesses'
import type { FactType, FieldRule, NaicsOperand, Rule } from '@wbs/contract/lists/rules'
import { comparedTypes, observationKeyOf, typesOfField } from './fact-types.ts'
import { comparable } from './folded-text.ts'
import { isUnderCode } from './naics-code.ts'
import { firstDayWithin } from './within-last.ts'

/** What the caller knows of a Business. */
export interface KnownFacts {
  /** Its row of the published projection; null if it is not published. */
  published: Readonly<Partial<Record<BusinessField, string | null>>> | null
  /** The latest observation of each key. */
  observations: ReadonlyMap<string, { value_type: string; value: unknown }>
}

/** A fact with its type. */
interface Fact {
  type: FactType
  value: string | number | boolean
}

/**
 * Whether a checked rule holds for a Business on a day of UTC. A fact that is missing, private or unpublished makes every leaf
 * false except is_not_set. The SQL of a rule must find the same Businesses.
 */
export function holds(rule: Rule, facts: KnownFacts, today: string): boolean {
  switch (rule.kind) {
    case 'field':
      return leafHolds(rule, facts, today)
    case 'and':
      return rule.rules.every(rule => holds(rule, facts, today))
    case 'or':
      return rule.rules.some(rule => holds(rule, facts, today))
    case 'not':
      return !holds(rule.rule, facts, today)
    default:
      return rule.kind === 'all'
  }
}

function leafHolds(leaf: FieldRule, facts: KnownFacts, today: string): boolean {
  const fact = factOf(leaf.field, facts)
  if (leaf.operator === 'is_not_set') return fact === null
  if (fact === null) return false
  if (leaf.operator === 'is_set') return true
  if (leaf.operator === 'naics') return isUnderOperand(leaf.value as NaicsOperand, facts)
  return comparedTypes(leaf).includes(fact.type) && compares(leaf, fact, today)
}

/** The fact of a field, or null. */
function factOf(field: string, { published, observations }: KnownFacts): Fact | null {
  const key = observationKeyOf(field)
  if (key !== null) {
    const found = observations.get(key)
    return found ? ({ type: found.value_type, value: found.value } as Fact) : null
  }
  const value = published?.[field as BusinessField] ?? null
  if (value === null) return null
  const isDate = typesOfField(field).includes('date')
  // A moment is compared by its day, of which it begins with the text.
  return isDate ? { type: 'date', value: value.slice(0, 10) } : { type: 'text', value }
}

/** Only the code of the same vintage is compared, because vintages give codes different meanings. */
function isUnderOperand({ code, vintage }: NaicsOperand, { published }: KnownFacts): boolean {
  const { naics_code, naics_vintage } = published ?? {}
  return naics_vintage === vintage && typeof naics_code === 'string' && isUnderCode(naics_code, code)
}

/** Compares a fact with an operand of its type. */
function compares(leaf: FieldRule, { type, value }: Fact, today: string): boolean {
  switch (type) {
    case 'text':
      return comparesText(leaf, value as string)
    case 'date':
      return comparesDay(leaf, value as string, today)
    case 'number':
      return comparesNumber(leaf, value as number)
    default:
      return value === leaf.value
  }
}

/** An operand that folds to nothing equals no text, because otherwise it would be contained in every text. */
function comparesText({ field, operator, value }: FieldRule, fact: string): boolean {
  const known = comparable(field, fact)
  const operands = (Array.isArray(value) ? value : [value])
    .map(operand => comparable(field, operand as string))
    .filter(operand => operand !== '')
  switch (operator) {
    case 'contains':
      return operands.some(operand => known.includes(operand))
    case 'starts_with':
      return operands.some(operand => known.startsWith(operand))
    case 'neq':
    case 'not_in':
      return !operands.includes(known)
    default:
      return operands.includes(known)
  }
}

function comparesDay({ operator, value }: FieldRule, fact: string, today: string): boolean {
  switch (operator) {
    case 'before':
      return fact < (value as string)
    case 'after':
      return fact > (value as string)
    case 'between':
      return isBetween(fact, value as [string, string])
    case 'within_last':
      return isBetween(fact, [firstDayWithin(value as string, today), today])
    default:
      return fact === value
  }
}

function comparesNumber({ operator, value }: FieldRule, fact: number): boolean {
  const operand = value as number
  switch (operator) {
    case 'neq':
      return fact !== operand
    case 'gt':
      return fact > operand
    case 'gte':
      return fact >= operand
    case 'lt':
      return fact < operand
    case 'lte':
      return fact <= operand
    case 'between':
      return isBetween(fact, value as [number, number])
    default:
      return fact === operand
  }
}

const isBetween = <T extends string | number>(fact: T, [from, to]: readonly [T, T]): boolean =>
  from <= fact && fact <= to
