import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import { mayLockForSql } from '../../database/locks.ts'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

export interface BenchmarkSetSummaryRow {
  benchmark_set_id: string
  name: string
  sha256: string
  row_count: number
  created_at: string
}

export type BenchmarkSetRow = BenchmarkSetSummaryRow & { rows: BenchmarkRow[] }

/** A benchmark set that the Workspace imported, with its rows. */
export const benchmarkSetById = (
  reader: Reader,
  workspace_id: string,
  benchmark_set_id: string,
): Promise<BenchmarkSetRow | undefined> => reader.one(byId, { workspace_id, benchmark_set_id })

/** Whether the Workspace imported a benchmark set. */
export const hasBenchmarkSet = async (
  reader: Reader,
  workspace_id: string,
  benchmark_set_id: string,
): Promise<boolean> => (await reader.one(present, { workspace_id, benchmark_set_id })) !== undefined

/** The benchmark sets that the Workspace imported, by id. `after` null: from the first one on. */
export const benchmarkSetsPage = (
  reader: Reader,
  workspace_id: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<BenchmarkSetSummaryRow[]> => reader.many(page, { workspace_id, after, limit })

export const mostBenchmarkSets = 200

/**
 * Locks which benchmark sets the Workspace has, for the standing with this seal, and reads whether it has as many as it can have.
 * Two imports thus count one after the other.
 */
export async function lockAndCountBenchmarkSets(
  tx: Transaction,
  workspace_id: string,
  seal: string,
): Promise<{ isFull: boolean }> {
  const [, last] = await Promise.all([
    tx.run(lock, { workspace_id, seal }),
    tx.one(lastPossible, { workspace_id }),
  ])
  return { isFull: last !== undefined }
}

/** Inserts a benchmark set. `rows` is the text that was hashed. */
export function insertBenchmarkSet(
  tx: Transaction,
  set: BenchmarkSetSummaryRow & { workspace_id: string; user_id: string; rows: string },
): void {
  tx.save(insert, set)
}

const summaryColumns = 'id as benchmark_set_id, name, sha256, row_count, created_at'

const byId = read<BenchmarkSetRow>(
  'benchmark_set_by_id',
  `select ${summaryColumns}, rows from benchmark_sets where workspace_id = :workspace_id and id = :benchmark_set_id`,
)

const present = read<object>(
  'benchmark_set_present',
  'select from benchmark_sets where workspace_id = :workspace_id and id = :benchmark_set_id',
)

const page = read<BenchmarkSetSummaryRow>(
  'benchmark_sets_page',
  `select ${summaryColumns} from benchmark_sets
   where workspace_id = :workspace_id and id > coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')
   order by id limit :limit`,
  'long',
)

const lock = write<object>(
  'benchmark_sets_lock',
  `select pg_advisory_xact_lock(lock_number('benchmark_sets', :workspace_id, '')) where ${mayLockForSql(':seal::text')}`,
)

const lastPossible = read<object>(
  'benchmark_set_last_possible',
  `select from benchmark_sets where workspace_id = :workspace_id offset ${mostBenchmarkSets - 1} limit 1`,
)

const insert = write(
  'benchmark_set_insert',
  `insert into benchmark_sets (workspace_id, id, name, sha256, row_count, rows, created_by, created_at)
   values (:workspace_id, :benchmark_set_id, :name, :sha256, :row_count, :rows::json, :user_id, :created_at)`,
)
