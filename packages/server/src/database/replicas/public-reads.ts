import type { ReaderPool } from '../connections/reader.ts'
import { isCanceled, isConnectionLoss, ReadersBusy } from '../faults.ts'
import { TooManyWaiting } from '../../turns/fair-turns.ts'
import type { Values } from '../parameters.ts'
import type { Reader, RowScope, Statement } from '../statement.ts'
import { hasUnseenChange } from './public-changes.ts'
import type { UsableReplica } from './replica.ts'
import type { Replicas } from './replicas.ts'

/** Reads what everybody may see: from a replica where the statement and the caller allow it, or else from the primary. */
export interface PublicReads {
  /** A reader for one request of the caller with this row scope; null for one without a credential. */
  reader(scope: RowScope | null): PublicReader
  usage(): PublicReadsUsage
}

export interface PublicReader extends Reader {
  /** What was read shows everything that was committed before this time: `now`, unless a replica was asked. */
  asOf(now: Date): Date
}

/** Reads of statements that may run on a replica, counted since the start. */
export interface PublicReadsUsage {
  primary: number
  replica: number
  /** Those of the primary that had failed on a replica. */
  repeated: number
}

export function createPublicReads(primary: ReaderPool, replicas: Replicas): PublicReads {
  const usage = { primary: 0, replica: 0, repeated: 0 }

  /** A replica that shows whatever the caller has changed. */
  async function replicaFor(scope: RowScope | null, onPrimary: Reader): Promise<UsableReplica | null> {
    const replica = replicas.pick()
    if (!replica || !scope) return replica
    return (await hasUnseenChange(onPrimary, scope, replica.snapshot)) ? null : replica
  }

  return {
    usage: () => ({ ...usage }),
    reader(scope) {
      const onPrimary = scope ? primary.scoped(scope) : primary.unscoped
      // Asked at once, while the standing of the caller is judged. Without an answer the primary is asked, which says why.
      let replica: Promise<UsableReplica | null> = replicaFor(scope, onPrimary).catch(() => null)
      let oldest: Date | null = null

      async function many<Row>(statement: Statement<Row, 'read'>, values: Values): Promise<Row[]> {
        if (!statement.onReplica) return onPrimary.many(statement, values)
        const chosen = await replica
        const rows = chosen?.isUsable() ? await askReplica(chosen, statement, values) : null
        if (rows) return rows
        usage.primary++
        return onPrimary.many(statement, values)
      }

      /** Null if the primary has to be asked. */
      async function askReplica<Row>(
        chosen: UsableReplica,
        statement: Statement<Row, 'read'>,
        values: Values,
      ): Promise<Row[] | null> {
        const reader = scope ? chosen.readers.scoped(scope) : chosen.readers.unscoped
        try {
          const rows = await reader.many(statement, values)
          if (rows.length === 0 && statement.onReplica === 'if_found') return null
          usage.replica++
          oldest = chosen.as_of
          return rows
        } catch (error) {
          if (isItsAnswer(error, chosen, statement)) throw error
          if (isConnectionLoss(error)) chosen.suspect()
          usage.repeated++
          replica = Promise.resolve(null)
          return null
        }
      }

      return {
        many,
        one: async (statement, values) => (await many(statement, values))[0],
        asOf: now => (oldest && oldest < now ? oldest : now),
      }
    },
  }
}

/**
 * Whether the error of a replica in use is passed on: the caller has another way than a statement that was too slow, and
 * whoever waited too long for a turn would fell the primary. Other errors are the fault of the replica, such as a conflict
 * with what it replays, or the primary gives them again.
 */
function isItsAnswer(
  error: unknown,
  replica: UsableReplica,
  { connectionClass }: Statement<unknown>,
): boolean {
  if (!replica.isUsable()) return false
  if (error instanceof ReadersBusy || error instanceof TooManyWaiting) return true
  return isCanceled(error) && connectionClass === 'fail_fast'
}
