import { foldText } from '../../../src/businesses/fold.ts'

type Value = string | number | boolean

/** A member with a value of each type, or none. */
export interface ModelEntry {
  id: string
  /** Folded. */
  name: string
  source: 'rule' | 'override'
  values: Readonly<Record<string, Value>>
}

/** A leaf of a filter, for the column of a type. */
export interface ModelFilter {
  type: string
  operator: string
  value: Value | Value[] | null
}

interface ModelOrder {
  /** What the entries are sorted by besides their ids. */
  key: string | null
  isDescending: boolean
  today: string
}

/** The ids of the entries that a filter leaves, in their order: written as plainly as possible. */
export function filteredAndSorted(
  entries: readonly ModelEntry[],
  filter: readonly ModelFilter[],
  { key, isDescending, today }: ModelOrder,
): string[] {
  const left = entries.filter(({ values }) => filter.every(leaf => meets(values[leaf.type], leaf, today)))
  return left
    .toSorted((a, b) => (key && compareBy(key, a, b, isDescending)) || compareText(a.id, b.id))
    .map(one => one.id)
}

function compareBy(key: string, a: ModelEntry, b: ModelEntry, isDescending: boolean): number {
  const [of, than] = key === 'name' ? [a.name, b.name] : [a.values[key], b.values[key]]
  if (of === undefined || than === undefined) return Number(of === undefined) - Number(than === undefined)
  return (
    (key === 'text' ? compareFolded(String(of), String(than)) : compare(of, than)) * (isDescending ? -1 : 1)
  )
}

const compareFolded = (a: string, b: string) => compareText(foldText(a), foldText(b)) || compareText(a, b)

const compare = (a: Value, b: Value): number =>
  typeof a === 'string' ? compareText(a, String(b)) : Math.sign(Number(a) - Number(b))

/** By code points, as PostgreSQL compares in the collation C. */
const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function meets(
  value: Value | undefined,
  { type, operator, value: operand }: ModelFilter,
  today: string,
): boolean {
  if (operator === 'is_not_set') return value === undefined
  if (value === undefined) return false
  if (operator === 'is_set') return true
  const operands = Array.isArray(operand) ? operand : [operand as Value]
  if (type === 'text') return meetsText(foldText(String(value)), operator, operands)
  const [first, second] = operands.map(one => (operator === 'within_last' ? 0 : compare(value, one))) as [
    number,
    number?,
  ]
  switch (operator) {
    case 'eq':
      return first === 0
    case 'neq':
      return first !== 0
    case 'gt':
    case 'after':
      return first > 0
    case 'gte':
      return first >= 0
    case 'lt':
    case 'before':
      return first < 0
    case 'lte':
      return first <= 0
    case 'between':
      return first >= 0 && Number(second) <= 0
    default:
      return String(value) >= String(firstDays[String(operand)]) && String(value) <= today
  }
}

/** The first day within a duration before 2026-03-31. */
const firstDays: Readonly<Record<string, string>> = {
  P0D: '2026-03-31',
  P1D: '2026-03-30',
  P3M: '2025-12-31',
  P1Y: '2025-03-31',
  P2W: '2026-03-17',
}

/** A text that folds to nothing is in no text. */
function meetsText(value: string, operator: string, operands: readonly Value[]): boolean {
  const texts = operands.map(one => foldText(String(one))).filter(one => one !== '')
  if (operator === 'contains') return texts.some(text => value.includes(text))
  if (operator === 'starts_with') return texts.some(text => value.startsWith(text))
  return texts.includes(value) === (operator === 'eq' || operator === 'in')
}
