import { listBenchmarkSets } from '@wbs/contract/valuations/benchmark-sets'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { isDefaultSet } from './benchmark-set-access.ts'
import { benchmarkSetsPage } from './benchmark-set-store.ts'
import { defaultSummary, presentSummary } from './benchmark-set-view.ts'

export const handleListBenchmarkSets = implement(
  listBenchmarkSets,
  async function listBenchmarkSets({ cursor, limit = 20 }, { read, standing }) {
    const own = await benchmarkSetsPage(read, standing.workspace_id, {
      // The set of the service comes before all others, whatever its ID.
      after: cursor === undefined || isDefaultSet(cursor) ? null : cursor,
      limit: limit + 1,
    })
    const rows = own.map(presentSummary)
    const { data, page } = pageOf(
      cursor === undefined ? [defaultSummary, ...rows] : rows,
      limit,
      row => row.benchmark_set_id,
    )
    return { result: { data, page } }
  },
)
