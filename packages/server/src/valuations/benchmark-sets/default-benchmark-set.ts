import { createHash } from 'node:crypto'
import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import { canonicalJson } from '@wbs/contract/json/canonical-json'
import type { BenchmarkSet } from '../engine/engine.ts'
import { publishedMultiples } from './published-multiples.ts'

/** The SHA-256 of the rows in the form of RFC 8785, in hexadecimal. */
export const hashOfRows = (rows: readonly BenchmarkRow[]): string =>
  createHash('sha256')
    .update(canonicalJson(rows) ?? '')
    .digest('hex')

/**
 * The benchmark set of the service, which every Workspace has. Results name its hash, so a set with other rows gets another id
 * and stays beside this one.
 */
export const defaultBenchmarkSet: BenchmarkSet & { name: string } = {
  benchmark_set_id: '085b4d9e-20bd-41b5-9af1-cfb89d25431e',
  name: 'Published multiples of private businesses in the United States, 2018 to 2026',
  sha256: hashOfRows(publishedMultiples),
  rows: publishedMultiples,
}
