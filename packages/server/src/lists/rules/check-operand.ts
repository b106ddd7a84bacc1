import {
  businessStatuses,
  naicsPattern,
  naicsVintages,
  publicationStatuses,
} from '@wbs/contract/businesses/businesses'
import { longestRuleText, mostItems, type FactType, type RuleOperator } from '@wbs/contract/lists/rules'
import { isDay } from '../../businesses/fact-formats.ts'
import { isRecord, type FoundErrors } from './found-errors.ts'
import { isShortEnough, mostYears, parseDuration } from './within-last.ts'

/** The value of a leaf whose operator is known. */
interface Operand {
  /** The types that the compared facts can have. */
  types: readonly FactType[]
  /** The field of a Business that is compared, if it is one: some have few known values. */
  field?: string
  operator: RuleOperator
  value: unknown
  /** The pointer of the value. */
  at: string
}

/** Checks that a value is what the operator compares facts of these types with. */
export function checkOperand(operand: Operand, found: FoundErrors): void {
  switch (operand.operator) {
    case 'naics':
      return checkNaics(operand, found)
    case 'in':
    case 'not_in':
      return checkItems(operand, found)
    case 'between':
      return checkRange(operand, found)
    case 'within_last':
      return checkDuration(operand, found)
    default:
      checkScalar(operand, found)
  }
}

const placed = {
  before: 'date',
  after: 'date',
  gt: 'number',
  gte: 'number',
  lt: 'number',
  lte: 'number',
} as const

/** The types that a single value may have with an operator. */
function scalarTypes({ types, operator }: Operand): readonly FactType[] {
  if (operator in placed) return [placed[operator as keyof typeof placed]]
  if (types.length === 1) return types
  // A day that eq compares with an observation is also a text.
  if (operator === 'eq') return ['text', 'number', 'boolean']
  return operator === 'neq' ? ['text', 'number'] : ['text']
}

/** Checks a single value; returns whether it is right. */
function checkScalar(operand: Operand, found: FoundErrors): boolean {
  const { value, at } = operand
  const types = scalarTypes(operand)
  const [type = 'text'] = types
  if (typeof value === 'string' && type === 'date') return checkDay(value, at, found)
  if (typeof value === 'string' && type === 'text') return checkText(operand, value, found)
  if (typeof value === 'number' && types.includes('number')) return checkNumber(value, at, found)
  if (typeof value === 'boolean' && types.includes('boolean')) return true
  found.add(at, 'type', `${nameOf(at)} must be ${types.map(known => words[known]).join(' or ')}.`)
  return false
}

const words = { text: 'a string', date: 'a date, as YYYY-MM-DD', number: 'a number', boolean: 'a boolean' }

function checkDay(value: string, at: string, found: FoundErrors): boolean {
  if (isDay(value)) return true
  found.add(
    at,
    'format',
    `${nameOf(at)} must be an existing day from 1000-01-01 to 2199-12-31, as YYYY-MM-DD.`,
  )
  return false
}

function checkNumber(value: number, at: string, found: FoundErrors): boolean {
  if (Number.isFinite(value)) return true
  found.add(at, 'out_of_range', `${nameOf(at)} must be a finite number.`)
  return false
}

function checkText({ field = '', operator, at }: Operand, value: string, found: FoundErrors): boolean {
  const before = found.errors.length
  const known = operator === 'contains' || operator === 'starts_with' ? undefined : valuesOfFields[field]
  if (value === '') found.add(at, 'too_short', `${nameOf(at)} must have at least 1 character.`)
  else if (isTooLong(value))
    found.add(at, 'too_long', `${nameOf(at)} must have at most ${longestRuleText} characters.`)
  else if (!value.isWellFormed() || value.includes('\u0000'))
    found.add(at, 'format', `${nameOf(at)} must not have U+0000 or an unpaired surrogate.`)
  else if (known && !known.includes(value)) found.addUnknown(at, nameOf(at), value, known)
  return found.errors.length === before
}

/** Whether a text has too many code points, each of which is one or two units of its length. */
const isTooLong = (text: string): boolean =>
  text.length > 2 * longestRuleText ||
  (text.length > longestRuleText && Array.from(text).length > longestRuleText)

const valuesOfFields: Readonly<Record<string, readonly string[]>> = {
  status: businessStatuses,
  publication_status: publicationStatuses,
  naics_vintage: naicsVintages,
}

function checkItems(operand: Operand, found: FoundErrors): void {
  const { value, at, operator } = operand
  if (!Array.isArray(value))
    return found.add(at, 'type', `value must be an array with the operator ${operator}.`)
  if (value.length === 0) return found.add(at, 'too_short', 'value must have at least 1 item.')
  if (value.length > mostItems)
    return found.add(at, 'too_long', `value must have at most ${mostItems} items.`)
  for (const [i, item] of value.entries()) checkScalar({ ...operand, value: item, at: `${at}/${i}` }, found)
}

/** Checks both ends of a range. The first decides which type the range of an observation has. */
function checkRange({ types, value, at }: Operand, found: FoundErrors): void {
  const ends = rangeWords
    .filter(([type]) => types.includes(type))
    .map(([, words]) => words)
    .join(', or ')
  if (!Array.isArray(value)) return found.add(at, 'type', `value must be an array of ${ends}.`)
  if (value.length !== 2)
    return found.add(at, value.length < 2 ? 'too_short' : 'too_long', `value must have ${ends}.`)
  const [from, to] = value as [unknown, unknown]
  const isOfNumbers = types.includes('number') && (typeof from === 'number' || !types.includes('date'))
  const operator = isOfNumbers ? 'gte' : 'after'
  const areRight = [from, to].map((end, i) =>
    checkScalar({ types, operator, value: end, at: `${at}/${i}` }, found),
  )
  if (areRight.every(Boolean) && (from as string) > (to as string))
    found.add(at, 'conflict', 'The first item of value must not be after the second.')
}

const rangeWords = [
  ['date', 'two dates, as YYYY-MM-DD'],
  ['number', 'two numbers'],
] as const

function checkDuration({ value, at }: Operand, found: FoundErrors): void {
  if (typeof value !== 'string') return found.add(at, 'type', `value must be ${durationExpected}.`)
  const duration = isTooLong(value) ? null : parseDuration(value)
  if (!duration) return found.add(at, 'format', `value must be ${durationExpected}.`)
  if (!isShortEnough(duration)) found.add(at, 'out_of_range', `value must be at most ${mostYears} years.`)
}

const durationExpected =
  'an ISO 8601 duration of whole years, months, weeks and days, in this order, such as P5Y, P18M or P1Y6M'

const codeForm = new RegExp(naicsPattern)

function checkNaics({ value, at }: Operand, found: FoundErrors): void {
  if (!isRecord(value)) return found.add(at, 'type', 'value must be an object with code and vintage.')
  found.addUnknownKeys(value, at, ['code', 'vintage'])
  const { code, vintage } = value
  if (code === undefined) found.add(`${at}/code`, 'required', 'code is required with the operator naics.')
  else if (typeof code !== 'string') found.add(`${at}/code`, 'type', 'code must be a string.')
  else if (!codeForm.test(code))
    found.add(`${at}/code`, 'format', 'code must have 2 to 6 digits, or be 31-33, 44-45 or 48-49.')
  if (vintage === undefined) return
  if (typeof vintage !== 'string') found.add(`${at}/vintage`, 'type', 'vintage must be a string.')
  else if (!(naicsVintages as readonly string[]).includes(vintage))
    found.addUnknown(`${at}/vintage`, 'vintage', vintage, naicsVintages)
}

/** The value itself, or the item with the number in its pointer. */
const nameOf = (at: string) => (at.endsWith('/value') ? 'value' : 'Each item of value')
