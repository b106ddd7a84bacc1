import { WritersBusy } from '../faults.ts'
import { createFairTurns } from './fair-turns.ts'
import { shareOf } from './share.ts'
import type { RowScope } from '../statement.ts'

/** For whom a transaction runs, and whose turn it takes where that is not plain: to name a Workspace is not to be in it. */
export interface ChangeScope extends RowScope {
  share?: string
}

interface WriterBounds {
  size: number
  sizeOfOne?: number
  sizeBesideOthers?: number
  patienceMilliseconds?: number
}

interface WriterTurns {
  /** Throws WritersBusy and TooManyWait, before anything is done. */
  inTurn<T>(scope: ChangeScope, transaction: () => Promise<T>): Promise<T>
  close(): void
}

/**
 * Carries out transactions in fair turns, as many at once as there are connections: none waits for a connection to come
 * back, and a Workspace whose changes wait for each other keeps some of them and never all.
 */
export function writerTurns({
  size,
  sizeOfOne = size,
  sizeBesideOthers = sizeOfOne,
  patienceMilliseconds = 3000,
}: WriterBounds): WriterTurns {
  const turns = createFairTurns({
    atOnce: size,
    atOnceOfOne: sizeOfOne,
    atOnceBesideOthers: sizeBesideOthers,
    waitingOfOne: 128,
    patienceMilliseconds,
    late: () => new WritersBusy('All connections for writing are taken.'),
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
