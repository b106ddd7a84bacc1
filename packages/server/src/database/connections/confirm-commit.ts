import { CommitUnknown, isConnectionLoss, isFromServer, isNeverSent } from '../faults.ts'
import type { ClientBase } from 'pg'

/** What became of a COMMIT and of the statements before it. */
interface SettledCommit {
  /** With the command tag of PostgreSQL. */
  committed: PromiseSettledResult<string>
  before: readonly PromiseSettledResult<unknown>[]
  /** The error of the first statement that failed, also if nobody waited for it; undefined if none did. */
  firstFailure: unknown
  /** Whether PostgreSQL answered a ROLLBACK. */
  rollBack(): Promise<boolean>
}

/** Throws the first reason why a transaction did not commit, or CommitUnknown if that cannot be told. */
export async function requireCommitted({
  committed,
  before,
  firstFailure,
  rollBack,
}: SettledCommit): Promise<void> {
  const failed = before.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  const earlier: unknown = firstFailure ?? failed?.reason
  if (committed.status === 'fulfilled') {
    if (earlier !== undefined) throw earlier
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK instead of an error.
    if (committed.value !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed.')
    return
  }
  if (earlier !== undefined && isCertain(earlier)) throw earlier
  const reason = earlier ?? committed.reason
  // PostgreSQL ends the session where it cannot undo a COMMIT, so a session that goes on has undone it.
  if (isNeverSent(reason) || (isFromServer(reason) && (await rollBack()))) throw reason
  throw new CommitUnknown('The connection was lost during COMMIT.', { cause: reason })
}

/** Whether the error of a statement before COMMIT shows that COMMIT did not run. */
const isCertain = (error: unknown): boolean => isFromServer(error) || !isConnectionLoss(error)

/** Notices COMMITs that PostgreSQL confirmed without the synchronous standby. */
export interface ReplicationWatch {
  watch(client: ClientBase): void
  /** Throws CommitUnknown if a wait for the standby was cut short on this connection, which must then be discarded. */
  requireWaited(client: ClientBase): void
}

/**
 * If a session that waits for the synchronous standby is canceled, PostgreSQL answers COMMIT as usual after a warning:
 * the change is on the leader alone, and is lost with it.
 */
export function watchReplication(): ReplicationWatch {
  const cutShort = new WeakSet<ClientBase>()
  return {
    watch: client =>
      // The text of the warning depends on the language of the server, and its code is that of any warning.
      void client.on('notice', ({ routine }) => {
        if (routine === 'SyncRepWaitForLSN') cutShort.add(client)
      }),
    requireWaited(client) {
      if (cutShort.has(client)) throw new CommitUnknown('The wait for the synchronous standby was canceled.')
    },
  }
}
