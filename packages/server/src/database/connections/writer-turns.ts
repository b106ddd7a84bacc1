import { WritersBusy } from '../faults.ts'
import { createFairTurns } from './fair-turns.ts'
import { shareOf } from './share.ts'
import type { RowScope } from '../statement.ts'

/** For whom a transaction runs, and whose turn it takes where that is not plain: to name a Workspace is not to be in it. */
export interface WriteScope extends RowScope {
  share?: string
}

interface WriterBounds {
  size: number
  sizePerShare?: number
  sizePerShareWhenContended?: number
  timeoutMilliseconds?: number
}

interface WriterTurns {
  /** Throws WritersBusy and TooManyWait, before anything is done. */
  inTurn<T>(scope: WriteScope, transaction: () => Promise<T>): Promise<T>
  close(): void
}

/**
 * Carries out transactions in fair turns, as many at once as there are connections: none waits for a connection to come
 * back, and a Workspace whose changes wait for each other keeps some of them and never all.
 */
export function createWriterTurns({
  size,
  sizePerShare = size,
  sizePerShareWhenContended = sizePerShare,
  timeoutMilliseconds = 3000,
}: WriterBounds): WriterTurns {
  const turns = createFairTurns({
    total: size,
    perShare: sizePerShare,
    perShareWhenContended: sizePerShareWhenContended,
    queuePerShare: 128,
    timeoutMilliseconds,
    timeoutError: () => new WritersBusy('All connections for writing are taken.'),
  })
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
