import type { Mutation } from '@wbs/contract/operation'
import { isLockTimeout } from '../../database/faults.ts'
import {
  lockSharedSql,
  lockValues,
  lockableRowsSql,
  markReplaySql,
  type SharedLocks,
} from '../../database/locks.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { Problem } from '../problem.ts'

/** An Idempotency-Key as it is used now: whose, for what, by which request. */
export interface Claim {
  /** The Workspace, or the user where there is none. */
  scope_id: string
  principal: string
  idempotency_key: string
  command_id: string
  operation: Mutation
  fingerprint: Buffer
  request_id: string
}

/** The command that has the key. */
export interface EarlierCommand {
  command_id: string
  fingerprint: Buffer
  request_id: string
  status: number
  answer: string
  /** The Workspace in which its receipt is kept. */
  receipt_workspace_id: string
}

/** How a key was found. */
export interface ClaimResult {
  /** The command that has the key; null where it was free, and is this transaction's now. */
  earlier: EarlierCommand | null
  /** Another transaction had it until now. What was to be locked behind the claim is not locked. */
  waited: boolean
}

/**
 * Claims the key until the transaction ends, and locks behind it what the change relies on. The claim is a lock alone: a
 * change that is refused, or lost in a crash, leaves nothing behind, and its key is free. A duplicate waits until the first
 * one ends. Throws idempotency_in_progress where that takes longer than the lock timeout.
 */
export async function claimKey(tx: Transaction, claim: Claim, locks: SharedLocks): Promise<ClaimResult> {
  const key = [claim.scope_id, claim.principal, claim.idempotency_key]
  const { workspace_id, targets } = locks
  const [[claimed], [earlier]] = await Promise.all([
    tx.run(commandClaim, [...key, ...lockValues(workspace_id, targets)]),
    tx.run(commandByKey, key),
  ])
  if (claimed?.is_ours) return { earlier: earlier ?? null, waited: false }
  try {
    const [, [ended]] = await Promise.all([tx.run(commandAwait, key), tx.run(commandByKey, key)])
    return { earlier: ended ?? null, waited: true }
  } catch (error) {
    if (isLockTimeout(error)) throw inProgress()
    throw error
  }
}

export const inProgress = () =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Try again.',
    {},
    { 'retry-after': '1' },
  )

/**
 * The lock is tried for and not waited for, so that a wait behind it is never taken for a wait for the claim; and what comes
 * behind it is not locked by who has no claim, or two duplicates could wait for each other. The lock also shows to all
 * nodes that the command is under way (command-store.ts).
 */
const commandClaim = write<{ is_ours: boolean }>(
  'command_claim',
  `with claimed as materialized (select pg_try_advisory_xact_lock(command_lock($1, $2, $3)) as is_ours)
   select is_ours,
     case when is_ours then (select count(${lockSharedSql('$4')}) from ${lockableRowsSql('$5', '$6')}) end as locked,
     case when not is_ours then ${markReplaySql(true)} end as repeats
   from claimed`,
)

const commandAwait = write(
  'command_await',
  `select pg_advisory_xact_lock(command_lock($1, $2, $3)), ${markReplaySql(false)}`,
)

// A key whose life is over is free again, though nobody has swept it away yet.
const commandByKey = write<EarlierCommand>(
  'command_by_key',
  `select command_id, fingerprint, request_id, status, answer, receipt_workspace_id, ${markReplaySql(true)} as repeats
   from commands
   where scope_id = $1 and principal = $2 and idempotency_key = $3 and (expires_at is null or expires_at > now())`,
)
