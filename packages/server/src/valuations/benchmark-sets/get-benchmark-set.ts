import { getBenchmarkSet } from '@wbs/contract/valuations/benchmark-sets'
import { implement } from '../../call/implement.ts'
import { isDefaultSet } from './benchmark-set-access.ts'
import { benchmarkSetById } from './benchmark-set-store.ts'
import { defaultSet, presentSet } from './benchmark-set-view.ts'

export const handleGetBenchmarkSet = implement(
  getBenchmarkSet,
  async function getBenchmarkSet({ benchmark_set_id }, { read, standing, refuse }) {
    if (isDefaultSet(benchmark_set_id)) return { result: { data: defaultSet } }
    const set = await benchmarkSetById(read, standing.workspace_id, benchmark_set_id)
    if (!set) throw refuse.not_found('There is no such benchmark set, or you cannot see it.')
    return { result: { data: presentSet(set) } }
  },
)
