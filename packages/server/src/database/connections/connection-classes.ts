import { createFairTurns, type FairTurns } from './fair-turns.ts'
import { ReadersBusy } from '../faults.ts'
import type { ConnectionClass } from '../statement.ts'

/** What the connections of one kind are like. */
export interface ConnectionClassConfig {
  connections: number
  /** Settings of PostgreSQL. */
  settings: Readonly<Record<string, string>>
  /** Who has the next statement; null where all are sent at once. */
  turns: FairTurns | null
}

/**
 * How many statements are under way at once: in all, of one share, and of one while others ask too. Several may be on their way over one connection,
 * where the one in front holds up those behind it: only short ones are.
 */
const turnsOf = (total: number, perShare: number, perShareWhenContended: number) => () =>
  createFairTurns({
    total,
    perShare,
    perShareWhenContended,
    queuePerShare: 1000,
    timeoutMilliseconds: 5000,
    timeoutError: () => new ReadersBusy('The turn to read did not come in time.'),
  })

// Left to choose, PostgreSQL plans a list anew each time for who has few Rooms, which takes longer than to read it.
const planned = { plan_cache_mode: 'force_generic_plan' }
const replanning = { plan_cache_mode: 'force_custom_plan' }

/**
 * A short read takes a millisecond, so one that takes seconds waits for a lock or meets a fault, and everything behind it
 * on its connection waits as well. Long reads have the time that their callers wait, and a connection to themselves; of
 * those that are given up after a tenth of a second, a few share one.
 */
const kinds: Readonly<
  Record<ConnectionClass, Omit<ConnectionClassConfig, 'turns'> & { turns: () => FairTurns | null }>
> = {
  standing: {
    connections: 2,
    settings: { statement_timeout: '2s', lock_timeout: '1s' },
    turns: () => null,
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
  readiness: { connections: 1, settings: { statement_timeout: '1500ms' }, turns: () => null },
}

/** The kinds of connections, each with turns of its own. */
export const connectionClasses = (): Record<ConnectionClass, ConnectionClassConfig> => {
  const made = Object.entries(kinds).map(([kind, one]) => [kind, { ...one, turns: one.turns() }])
  return Object.fromEntries(made) as Record<ConnectionClass, ConnectionClassConfig>
}
