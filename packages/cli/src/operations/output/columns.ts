import { withoutNull, type PlainSchema } from '../command/parameters.ts'

/** A column of a table: the way to its value, such as `room.title`. */
export interface Column {
  header: string
  path: readonly string[]
}

interface Candidate extends Column {
  /** The lower, the more it tells of the item. */
  rank: number
}

/** How many columns a table has. A terminal that is too narrow shows fewer. */
const most = 7

const names = /^(?:name|title|label|email|key|index_path|summary|text|template)$/
const states =
  /^(?:status|lifecycle|lifecycle_status|kind|type|class|role|mode|access_level|processing_status|priority|code)$/
const facts = /^(?:city|state|naics_code|version_number|size_bytes|website_url|ownership_percent)$/
const longTexts = /^(?:description|purpose|note|reason|.*_note|.*_reason)$/
const dates = [
  'due_at',
  'updated_at',
  'occurred_at',
  'created_at',
  'written_at',
  'set_at',
  'recorded_at',
  'observed_on',
]

/**
 * The columns of a list, by its schema: the ID, what people call it, its state and kind, other values, and one date. The order is
 * that of their meaning, and the same for each answer, so that scripts can rely on it.
 */
export function columnsOf(item: PlainSchema): Column[] {
  const candidates = Object.entries(item.properties ?? {}).flatMap(([name, declared], at) =>
    candidatesOf(name, withoutNull(declared).schema, at),
  )
  const date = dates.flatMap(name => candidates.filter(({ header }) => header === name)).slice(0, 1)
  const others = candidates
    .filter(({ rank }) => rank < notShown)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most - date.length)
  return [...others, ...date].map(({ header, path }) => ({ header, path }))
}

const [ofId, ofNames, ofStates, ofValues, ofOthers, ofLongTexts, notShown] = [0, 1, 2, 3, 4, 5, 6]

function candidatesOf(name: string, schema: PlainSchema, at: number): Candidate[] {
  const column = (rank: number, ...inside: string[]): Candidate[] => [
    { header: [name, ...inside].join('.'), path: [name, ...inside], rank },
  ]
  if (at === 0 && /(?:^|_)id$/.test(name)) return column(ofId)
  if (schema.properties)
    return 'amount' in schema.properties ? column(ofValues) : inside(schema.properties, column)
  if (/(?:^|_)id$/.test(name) || schema.type === undefined) return column(notShown)
  if (schema.format === 'date-time' || schema.format === 'date') return column(notShown)
  if (names.test(name)) return column(ofNames)
  if (longTexts.test(name)) return column(ofLongTexts)
  if (facts.test(name)) return column(ofValues)
  if (states.test(name)) return column(ofStates)
  const isPlain = ['string', 'integer', 'number', 'boolean'].includes(schema.type as string)
  return column(isPlain && name !== 'revision' && !/sha256|url|^public_/.test(name) ? ofOthers : notShown)
}

/** Of an object in the item: what people call it, or its value. */
function inside(
  properties: Readonly<Record<string, PlainSchema>>,
  column: (rank: number, ...inside: string[]) => Candidate[],
): Candidate[] {
  const known = ['title', 'name', 'value'].find(name => name in properties)
  return known === undefined ? [] : column(ofValues, known)
}

/** The value of a column in an item. */
export const valueAt = (item: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    item,
  )
