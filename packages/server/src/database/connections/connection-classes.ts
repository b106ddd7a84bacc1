import type { ConnectionMetrics } from './connection-metrics.ts'
import { createFairTurns, type FairTurns } from './fair-turns.ts'
import { ReadersBusy } from '../faults.ts'
import type { ConnectionClass } from '../statement.ts'

/** The connections of one class. */
export interface ConnectionClassConfig {
  connections: number
  /** Settings of PostgreSQL. */
  settings: Readonly<Record<string, string>>
  /** Limits how many statements run at once; null for no limit. */
  turns: FairTurns | null
}

/**
 * How many statements run at once: in total, per share, and per share while others compete. More than one statement may
 * be pipelined over a connection, where a slow one causes head-of-line blocking, so only short ones are.
 */
const turnsOf = (total: number, perShare: number, perShareWhenContended: number) => ({
  total,
  make: () =>
    createFairTurns({
      total,
      perShare,
      perShareWhenContended,
      queuePerShare: 1000,
      timeoutMilliseconds: 5000,
      timeoutError: () => new ReadersBusy('No connection for reading was free in time.'),
    }),
})

// By default PostgreSQL would plan a list anew each time for a caller with few Rooms, which takes longer than reading
// it.
const planned = { plan_cache_mode: 'force_generic_plan' }
const replanning = { plan_cache_mode: 'force_custom_plan' }

/**
 * A short read takes a millisecond. One that takes seconds waits for a lock or meets a fault, and blocks those behind
 * it on the connection, so its timeout is short. A long read has a connection to itself and the timeout of a request.
 * Reads of the class fail_fast end after a tenth of a second, so a few share a connection.
 */
const kinds: Readonly<
  Record<ConnectionClass, Omit<ConnectionClassConfig, 'turns'> & { turns: ReturnType<typeof turnsOf> | null }>
> = {
  standing: {
    connections: 2,
    settings: { statement_timeout: '2s', lock_timeout: '1s' },
    turns: null,
  },
  default: { connections: 4, settings: { statement_timeout: '3s', ...planned }, turns: turnsOf(64, 32, 8) },
  long: {
    connections: 4,
    settings: { statement_timeout: '5s', ...planned },
    turns: turnsOf(4, 2, 1),
  },
  custom_plan: {
    connections: 4,
    settings: { statement_timeout: '5s', ...replanning },
    turns: turnsOf(4, 3, 1),
  },
  fail_fast: {
    connections: 4,
    settings: { statement_timeout: '100ms', ...replanning },
    turns: turnsOf(16, 8, 1),
  },
  readiness: { connections: 1, settings: { statement_timeout: '1500ms' }, turns: null },
}

/** The name of the pool of a class. */
export const poolOfClass = (kind: string) => `readers ${kind}`

/** The connection classes, each with fair turns of its own. */
export const connectionClasses = (
  metrics?: Pick<ConnectionMetrics, 'watchTurns'>,
): Record<ConnectionClass, ConnectionClassConfig> => {
  const made = Object.entries(kinds).map(([kind, { turns, ...one }]) => {
    const own = turns?.make() ?? null
    const shown = turns && own && metrics?.watchTurns(poolOfClass(kind), turns.total, own)
    return [kind, { ...one, turns: shown ?? own }]
  })
  return Object.fromEntries(made) as Record<ConnectionClass, ConnectionClassConfig>
}
