import { randomUUIDv7 } from 'node:crypto'
import { importBenchmarkSet } from '@wbs/contract/valuations/benchmark-sets'
import { implement } from '../../call/implement.ts'
import { invalid } from '../../call/problem.ts'
import { canonicalRows, normalizedRow, rowErrors } from './benchmark-rows.ts'
import { insertBenchmarkSet, lockAndCountBenchmarkSets, mostBenchmarkSets } from './benchmark-set-store.ts'
import { presentSet } from './benchmark-set-view.ts'

export const handleImportBenchmarkSet = implement(
  importBenchmarkSet,
  async function importBenchmarkSet(input, { tx, caller, standing, now, refuse }) {
    const { name = 'Imported multiples' } = input
    const { workspace_id } = standing
    const rows = input.rows.map(normalizedRow)
    const errors = rowErrors(rows)
    if (errors.length > 0) throw invalid(errors)
    const { isFull } = await lockAndCountBenchmarkSets(tx, workspace_id, standing.seal)
    if (isFull)
      throw refuse.limit_reached(`A Workspace can have at most ${mostBenchmarkSets} benchmark sets.`)
    const { text, sha256 } = canonicalRows(rows)
    const summary = {
      benchmark_set_id: randomUUIDv7(),
      name,
      sha256,
      row_count: rows.length,
      created_at: now.toISOString(),
    }
    insertBenchmarkSet(tx, { ...summary, workspace_id, user_id: caller.user_id, rows: text })
    const { benchmark_set_id } = summary
    return {
      result: { data: presentSet({ ...summary, rows }) },
      resource: { type: 'benchmark_set', id: benchmark_set_id },
      events: [
        {
          type: 'benchmark_set.imported',
          subject: { type: 'benchmark_set', id: benchmark_set_id, name },
        },
      ],
    }
  },
  {
    prefetch: (_input, { tx, standing }) =>
      lockAndCountBenchmarkSets(tx, standing.workspace_id, standing.seal),
  },
)
