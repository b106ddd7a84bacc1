import type { ConnectionMetrics } from './connection-metrics.ts'
import { createFairTurns, type FairTurns, type TurnMetrics } from '../../turns/fair-turns.ts'
import { partyOf } from './connection.ts'
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
 * How many statements run at once for each connection: in total, per share, and per share while others compete. More than
 * one statement may be pipelined over a connection, where a slow one causes head-of-line blocking, so only short ones are.
 */
interface TurnRatios {
  total: number
  perShare: number
  perShareWhenContended: number
}

const turnsOf = (
  { total, perShare, perShareWhenContended }: TurnRatios,
  connections: number,
  metrics: TurnMetrics | undefined,
) =>
  createFairTurns({
    total: total * connections,
    perShare: Math.ceil(perShare * connections),
    perShareWhenContended: Math.max(1, Math.round(perShareWhenContended * connections)),
    queuePerShare: 1000,
    timeoutMilliseconds: 5000,
    timeoutError: () => new ReadersBusy('No connection for reading was free in time.'),
    partyOf,
    metrics,
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
  Record<ConnectionClass, { settings: Readonly<Record<string, string>>; turns: TurnRatios | null }>
> = {
  standing: { settings: { statement_timeout: '2s', lock_timeout: '1s' }, turns: null },
  default: {
    settings: { statement_timeout: '3s', ...planned },
    turns: { total: 16, perShare: 8, perShareWhenContended: 2 },
  },
  long: {
    settings: { statement_timeout: '5s', ...planned },
    turns: { total: 1, perShare: 0.5, perShareWhenContended: 0.25 },
  },
  custom_plan: {
    settings: { statement_timeout: '5s', ...replanning },
    turns: { total: 1, perShare: 0.75, perShareWhenContended: 0.25 },
  },
  fail_fast: {
    settings: { statement_timeout: '100ms', ...replanning },
    turns: { total: 4, perShare: 2, perShareWhenContended: 0.25 },
  },
  readiness: { settings: { statement_timeout: '1500ms' }, turns: null },
}

/** The name of the pool of a class. */
export const poolOfClass = (kind: string) => `readers ${kind}`

/** The connection classes, each with so many connections and with fair turns of its own. */
export const connectionClasses = (
  sizes: Readonly<Record<ConnectionClass, number>>,
  metrics?: Pick<ConnectionMetrics, 'watchTurns' | 'ofTurns'>,
): Record<ConnectionClass, ConnectionClassConfig> => {
  const made = Object.entries(kinds).map(([kind, { turns, settings }]) => {
    const connections = sizes[kind as ConnectionClass]
    if (!turns) return [kind, { connections, settings, turns }]
    const pool = poolOfClass(kind)
    const own = turnsOf(turns, connections, metrics?.ofTurns(pool))
    metrics?.watchTurns(pool, turns.total * connections, own)
    return [kind, { connections, settings, turns: own }]
  })
  return Object.fromEntries(made) as Record<ConnectionClass, ConnectionClassConfig>
}
