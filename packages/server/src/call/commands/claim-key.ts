import type { Mutation, Operation } from '@wbs/contract/operation'
import { isLockTimeout } from '../../database/faults.ts'
import {
  lockSharedSql,
  lockValues,
  lockTargetsSql,
  setRepeatsSql,
  type SharedLocks,
} from '../../database/locks.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { Problem } from '../problem.ts'
import { createHmac, type KeyObject } from 'node:crypto'
import { withSortedKeys } from '@wbs/contract/json/canonical-json'

/** The use of an Idempotency-Key by this request. */
export interface Claim {
  /** The Workspace; the user if the operation runs outside a Workspace. */
  scope_id: string
  principal: string
  idempotency_key: string
  command_id: string
  operation: Mutation
  fingerprint: Buffer
  request_id: string
}

/** The command that already has the key. */
export interface EarlierCommand {
  command_id: string
  fingerprint: Buffer
  request_id: string
  status: number
  answer: string
  /** The Workspace in which its receipt is kept. */
  receipt_workspace_id: string
  /** The period in which both are stored. */
  period: number
}

/** The result of claiming a key. */
export interface ClaimResult {
  /** The command that already has the key; null if the key was free and is now claimed by this transaction. */
  earlier: EarlierCommand | null
  /** Whether another transaction had claimed the key and has ended now. The locks of authority are not taken then. */
  waited: boolean
}

/**
 * Claims the key for the rest of the transaction, and takes the locks of the caller's authority. The claim is only a
 * lock: a change that is refused, or lost in a crash, leaves no trace and its key is free again. A duplicate waits for
 * the first request to end. Throws idempotency_in_progress after the lock timeout.
 */
export async function claimKeyAndLockAuthority(
  tx: Transaction,
  claim: Claim,
  locks: SharedLocks,
): Promise<ClaimResult> {
  const { scope_id, principal, idempotency_key } = claim
  const key = { scope_id, principal, idempotency_key }
  const { workspace_id, targets } = locks
  const [[claimed], [earlier]] = await Promise.all([
    tx.run(commandClaim, { ...key, ...lockValues(workspace_id, targets) }),
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
 * Tries the lock without waiting, so that a timeout of the locks after it cannot be mistaken for a timeout of the
 * claim. Only a transaction that got the claim takes those locks, or two duplicates could deadlock. The lock also shows
 * all nodes that the command is in progress (workspaces/commands/command-store.ts).
 */
const commandClaim = write<{ is_ours: boolean }>(
  'command_claim',
  `with claimed as materialized (select pg_try_advisory_xact_lock(command_lock(:scope_id, :principal, :idempotency_key)) as is_ours)
   select is_ours,
     case when is_ours then (select count(${lockSharedSql(':workspace_id')}) from ${lockTargetsSql}) end as locked,
     case when not is_ours then ${setRepeatsSql(true)} end as repeats
   from claimed`,
)

const commandAwait = write(
  'command_await',
  `select pg_advisory_xact_lock(command_lock(:scope_id, :principal, :idempotency_key)), ${setRepeatsSql(false)}`,
)

// An expired key is free; its row is there until the partition of its period is dropped.
const commandByKey = write<EarlierCommand>(
  'command_by_key',
  `select command_id, fingerprint, request_id, status, answer, receipt_workspace_id, period, ${setRepeatsSql(true)} as repeats
   from commands
   where scope_id = :scope_id and principal = :principal and idempotency_key = :idempotency_key and (expires_at is null or expires_at > now())`,
)

/**
 * The fingerprint of a request: a digest of the operation and its validated input, whatever the order of keys and the
 * white space. It is an HMAC, because the short input behind a plain hash could be guessed from a leaked table.
 */
export function fingerprint(secret: KeyObject, operation: Operation, input: object): Buffer {
  return createHmac('sha256', secret)
    .update(sortedJson([1, operation.http, input]))
    .digest()
}

/** JSON with the keys of every object sorted. */
export const sortedJson = (value: unknown): string => JSON.stringify(withSortedKeys(value))
