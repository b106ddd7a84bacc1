import { hash } from 'node:crypto'
import { foldCity, foldName } from '../../fold.ts'
import type { Facts } from './check-row.ts'

/** The facts of a record in the order in which its digest takes them: a change here makes every record look changed. */
const factColumns = [
  'source',
  'source_id',
  'name',
  'legal_name',
  'status',
  'founded_on',
  'founded_year',
  'closed_on',
  'description',
  'public_email',
  'public_phone',
  'website_url',
  'country_code',
  'state',
  'city',
  'postal_code',
  'line1',
  'naics_code',
  'naics_vintage',
] as const satisfies readonly (keyof Facts)[]

/** The columns of `staged`, in the order in which stagedRow writes them. */
export const stagedColumns = [
  ...factColumns,
  'name_folded',
  'city_folded',
  'fields',
  'digest',
  'body',
  'file',
  'line',
  'raw',
]

/** A row for `copy staged from stdin`, in PostgreSQL's text format. */
export function stagedRow(
  facts: Facts,
  at: { body: string; file: number; line: number; raw: string },
): string {
  const given = factColumns.map(column => copyCell(facts[column])).join('\t')
  const name = copyCell(foldName(facts.name))
  const city = facts.city === null ? '\\N' : copyCell(foldCity(facts.city))
  const digest = hash('sha256', given, 'hex')
  return `${given}\t${name}\t${city}\t${fieldsGiven(facts)}\t\\\\x${digest}\t${at.body}\t${at.file}\t${at.line}\t${copyCell(at.raw)}\n`
}

/** Which of several lanes the rows of a record go: always the same one. */
export function laneOf({ source_id }: Facts, lanes: number): number {
  let sum = 0
  for (let i = 0; i < source_id.length; i++) sum = (sum * 31 + source_id.charCodeAt(i)) >>> 0
  return (sum >>> 4) % lanes
}

const special = /[\\\t\n\r]/
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyCell(value: string | null): string {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, found => escapes[found] ?? found) : value
}

const fieldColumns = factColumns.filter(column => column !== 'source' && column !== 'source_id')
const fieldLists = new Map<number, string>()

/** Which fields of a Business the record gives, as an array of PostgreSQL. */
function fieldsGiven(facts: Facts): string {
  let given = 0
  for (const [i, column] of fieldColumns.entries()) if (facts[column] !== null) given |= 1 << i
  let list = fieldLists.get(given)
  if (list === undefined) {
    list = `{${fieldColumns.filter((_, i) => given & (1 << i)).join(',')}}`
    fieldLists.set(given, list)
  }
  return list
}
