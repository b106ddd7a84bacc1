import { hash } from 'node:crypto'
import { foldCity, foldName, storedFold } from '../../fold.ts'
import type { Facts } from './check-row.ts'

/**
 * The columns of `staged` for the facts of a record, with their types. The digest takes them in this order, so a change of it
 * makes every record look changed.
 */
const factTypes = {
  source: 'text collate "C"',
  source_id: 'text collate "C"',
  name: 'text',
  legal_name: 'text',
  status: 'text',
  founded_on: 'date',
  founded_year: 'smallint',
  closed_on: 'date',
  description: 'text',
  public_email: 'text',
  public_phone: 'text',
  website_url: 'text',
  country_code: 'text',
  state: 'text',
  city: 'text',
  postal_code: 'text',
  line1: 'text',
  naics_code: 'text collate "C"',
  naics_vintage: 'text collate "C"',
} as const satisfies Record<keyof Facts, string>
const factColumns = Object.keys(factTypes) as (keyof Facts)[]

/** All columns of `staged`, in the order in which stagedRow writes them. */
const stagedTypes = {
  ...factTypes,
  name_folded: 'text',
  city_folded: 'text',
  description_folded: 'text',
  state_folded: 'text',
  fields: 'text[]',
  digest: 'bytea',
  body: 'text collate "C"',
  file: 'smallint',
  line: 'integer',
  raw: 'text',
}
export const stagedColumns: readonly string[] = Object.keys(stagedTypes)

export const createStaged = `create temp table staged (${Object.entries(stagedTypes)
  .map(([column, type]) => `${column} ${type}`)
  .join(', ')})`

/** A row for `copy staged from stdin`, in PostgreSQL's text format. */
export function stagedRow(
  facts: Facts,
  at: { body: string; file: number; line: number; raw: string },
): string {
  const given = factColumns.map(column => copyCell(facts[column])).join('\t')
  const folded = [
    foldName(facts.name),
    facts.city === null ? null : foldCity(facts.city),
    storedFold(facts.description),
    storedFold(facts.state),
  ]
    .map(copyCell)
    .join('\t')
  const digest = hash('sha256', given, 'hex')
  return `${given}\t${folded}\t${fieldsGiven(facts)}\t\\\\x${digest}\t${at.body}\t${at.file}\t${at.line}\t${copyCell(at.raw)}\n`
}

/** The partition of a record: the same for all its rows. */
export function partitionOf({ source_id }: Facts, partitions: number): number {
  let sum = 0
  for (let i = 0; i < source_id.length; i++) sum = (sum * 31 + source_id.charCodeAt(i)) >>> 0
  return (sum >>> 4) % partitions
}

const special = /[\\\t\n\r]/
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyCell(value: string | null): string {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, found => escapes[found] ?? found) : value
}

const fieldColumns = factColumns.filter(column => column !== 'source' && column !== 'source_id')
const fieldLists = new Map<number, string>()

/** The fields that a record has, as a PostgreSQL array. */
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
