import type { BenchmarkSetRow, BenchmarkSetSummaryRow } from './benchmark-set-store.ts'
import { defaultBenchmarkSet } from './default-benchmark-set.ts'

/** A benchmark set of the Workspace in a list. */
export function presentSummary(row: BenchmarkSetSummaryRow) {
  const { benchmark_set_id, name, sha256, row_count, created_at } = row
  return { benchmark_set_id, name, sha256, row_count, is_default: false, created_at }
}

/** A benchmark set of the Workspace with its rows. */
export const presentSet = (row: BenchmarkSetRow) => ({ ...presentSummary(row), rows: row.rows })

/** The benchmark set of the service in a list. */
export const defaultSummary = {
  benchmark_set_id: defaultBenchmarkSet.benchmark_set_id,
  name: defaultBenchmarkSet.name,
  sha256: defaultBenchmarkSet.sha256,
  row_count: defaultBenchmarkSet.rows.length,
  is_default: true,
  created_at: null,
}

/** The benchmark set of the service with its rows. */
export const defaultSet = { ...defaultSummary, rows: [...defaultBenchmarkSet.rows] }
