import { WritersBusy } from '../faults.ts'
import type { ConnectionMetrics } from './connection-metrics.ts'
import { createFairTurns } from './fair-turns.ts'
import { shareOf } from './share.ts'
import type { RowScope } from '../statement.ts'

/**
 * The row scope of a transaction, and the share that it is charged to where that differs: a caller who names a
 * Workspace need not belong to it.
 */
export interface WriteScope extends RowScope {
  share?: string
}

interface WriterBounds {
  size: number
  sizePerShare?: number
  sizePerShareWhenContended?: number
  timeoutMilliseconds?: number
  metrics?: Pick<ConnectionMetrics, 'watchTurns'>
}

interface WriterTurns {
  /** Throws WritersBusy or TooManyWaiting before anything is done. */
  inTurn<T>(scope: WriteScope, transaction: () => Promise<T>): Promise<T>
  close(): void
}

/**
 * Runs transactions in fair turns, as many at once as there are connections. So none waits in the pool, and a Workspace
 * whose changes block each other never holds all connections.
 */
export function createWriterTurns({
  size,
  sizePerShare = size,
  sizePerShareWhenContended = sizePerShare,
  timeoutMilliseconds = 3000,
  metrics,
}: WriterBounds): WriterTurns {
  const own = createFairTurns({
    total: size,
    perShare: sizePerShare,
    perShareWhenContended: sizePerShareWhenContended,
    queuePerShare: 128,
    timeoutMilliseconds,
    timeoutError: () => new WritersBusy('No connection for writing was free in time.'),
  })
  const turns = metrics?.watchTurns('writers', size, own) ?? own
  return {
    async inTurn(scope, transaction) {
      const endTurn = await turns.take(scope.share ?? shareOf(scope))
      try {
        return await transaction()
      } finally {
        endTurn()
      }
    },
    close: turns.close,
  }
}
