import { createHash } from 'node:crypto'
import { canonicalJson } from '@wbs/contract/json/canonical-json'
import type { InputError } from '@wbs/contract/problems'
import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import { decimal } from '../engine/decimal.ts'
import { sizeBand } from './size-band-text.ts'

/** A row as it is given: what is not known may be left out. */
export type GivenRow = Omit<BenchmarkRow, Optional> & {
  [Field in Optional]?: BenchmarkRow[Field] | undefined
}
type Optional = 'naics' | 'size_band' | 'p25' | 'p75' | 'n'

/** A row in its one form: every field is there, and null if it is not known. */
export const normalizedRow = (row: GivenRow): BenchmarkRow => ({
  naics: row.naics ?? null,
  size_band: bandOf(row.size_band ?? null),
  metric: row.metric,
  p25: row.p25 ?? null,
  p50: row.p50,
  p75: row.p75 ?? null,
  n: row.n ?? null,
  source: row.source,
  as_of: row.as_of,
})

/** A band that cannot be read stays as it is, for `rowErrors` to refuse. */
function bandOf(given: string | null): string | null {
  const band = given === null ? null : sizeBand(given)
  return band === undefined ? given : band
}

/** The rows as text in the form of RFC 8785, and the SHA-256 of that text in hexadecimal. */
export function canonicalRows(rows: readonly BenchmarkRow[]): { text: string; sha256: string } {
  const text = canonicalJson(rows)
  if (text === null) throw new Error('A benchmark row has a number that is not finite.')
  return { text, sha256: createHash('sha256').update(text).digest('hex') }
}

const mostErrors = 20

/** What is wrong in rows beyond their form: quartiles in another order, or a size band that ends before it begins. */
export function rowErrors(rows: readonly BenchmarkRow[]): InputError[] {
  const errors: InputError[] = []
  for (const [index, row] of rows.entries()) {
    for (const [field, detail, code = 'out_of_range'] of faultsOf(row))
      errors.push({ in: 'body', pointer: `/rows/${index}/${field}`, code, detail })
    if (errors.length >= mostErrors) break
  }
  return errors.slice(0, mostErrors)
}

type RowFault = [field: keyof BenchmarkRow, detail: string, code?: 'format']

function faultsOf({ p25, p50, p75, size_band }: BenchmarkRow): RowFault[] {
  const faults: RowFault[] = []
  const median = decimal(p50)
  if (p25 !== null && median.lessThan(p25)) faults.push(['p25', 'p25 must not be greater than p50.'])
  if (p75 !== null && median.greaterThan(p75)) faults.push(['p75', 'p75 must not be less than p50.'])
  if (size_band === null) return faults
  const isBand = sizeBand(size_band) !== undefined
  const [from, to] = size_band.split('-')
  if (!isBand) faults.push(['size_band', howToWrite, 'format'])
  else if (to && Number(from) >= Number(to))
    faults.push(['size_band', 'The first price of a size band must be less than the second.'])
  return faults
}

const howToWrite = 'A size band is written as 500000-1000000, 50000000- or, for example, $500K-$1M.'
