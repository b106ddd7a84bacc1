import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { BenchmarkSet } from '../engine/engine.ts'
import { benchmarkSetById } from './benchmark-set-store.ts'
import { defaultBenchmarkSet } from './default-benchmark-set.ts'

/** Whether a caller can see the benchmark sets of the Workspace, where the operation declares another permission. */
export const seesBenchmarkSets = ({ permissions }: Standing | GuestStanding): boolean =>
  permissions.has('valuations:read')

/** Whether an ID is that of the benchmark set of the service. */
export const isDefaultSet = (benchmark_set_id: string): boolean =>
  benchmark_set_id.toLowerCase() === defaultBenchmarkSet.benchmark_set_id

/**
 * A benchmark set by its ID: that of the service, which null names, or one of the Workspace. Without a Workspace there is only that
 * of the service. Undefined if there is none with the ID.
 */
export async function readBenchmarkSet(
  reader: Reader,
  workspace_id: string | null,
  benchmark_set_id: string | null,
): Promise<BenchmarkSet | undefined> {
  if (benchmark_set_id === null || isDefaultSet(benchmark_set_id)) return defaultBenchmarkSet
  return workspace_id === null ? undefined : benchmarkSetById(reader, workspace_id, benchmark_set_id)
}
