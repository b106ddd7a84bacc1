import { setTimeout as pause } from 'node:timers/promises'
import type { TestService } from '../service.ts'

/** Shorter than PostgreSQL leaves an idle transaction open, so that it does not end one that is held. */
const mostMilliseconds = 5_000

/**
 * The transactions that stay open for as long as this waits. Those of jobs that run meanwhile are open for a moment and end by
 * themselves.
 */
export async function lastingTransactions(service: Pick<TestService, 'sql'>): Promise<object[]> {
  const [first] = await service.sql<{ now: string }>('select clock_timestamp()::text as now')
  for (const until = Date.now() + mostMilliseconds; ; await pause(20)) {
    const open = await service.sql(openSince, [first?.now])
    if (open.length === 0 || Date.now() > until) return open
  }
}

const openSince = `select application_name, state, query from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    and xact_start <= $1::timestamptz`
