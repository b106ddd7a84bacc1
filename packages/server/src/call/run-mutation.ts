import { randomUUID } from 'node:crypto'
import type { Mutation } from '@wbs/contract/operation'
import type { Scope } from '@wbs/contract/scopes'
import { faultRecord } from '../telemetry/fault-record.ts'
import { shareOf } from '../database/connections/connection.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { chargedWorkspace } from './authority/known-members.ts'
import { principalOf, type Caller } from './authority/caller.ts'
import { waitAtOnce } from './waiting/wait-without-slot.ts'
import { createBeforehand, type Beforehand } from './beforehand.ts'
import { untilPrepared, commitAfterStandby, untilCommitKnown } from './commands/attempts.ts'
import {
  claimKeyAndLockAuthority,
  type Claim,
  type EarlierCommand,
  fingerprint,
} from './commands/claim-key.ts'
import { Problem } from './problem.ts'
import type { Answer, Pipeline, ValidRequest } from './call.ts'
import { settle, statusOf } from './commands/settle.ts'
import { requireVisible } from './commands/visibility.ts'
import {
  authorityLocks,
  lockStanding,
  requireScopes,
  currentStanding,
  standingIn,
  type GuestStanding,
  type Standing,
} from './authority/standing.ts'

/** What the steps of a change need. */
interface Change {
  pipeline: Pipeline
  claim: Claim
  caller: Caller
  request: ValidRequest
  /** Undefined if nothing has to be done before the transaction. */
  beforehand: Beforehand | undefined
}

/** Runs a change once for its Idempotency-Key, in one transaction, or replays the stored answer. */
export async function runMutation(
  pipeline: Pipeline,
  operation: Mutation,
  request: ValidRequest,
): Promise<Answer> {
  const caller = request.caller as Caller
  const { workspace_id, idempotency_key } = request.headers
  const claim: Claim = {
    scope_id: workspace_id ?? caller.user_id,
    principal: principalOf(caller),
    idempotency_key,
    command_id: randomUUID(),
    operation,
    fingerprint: fingerprint(pipeline.secret, operation, request.input),
    request_id: request.request_id,
  }
  const { prepare, compute, finish } = request.implementation
  const beforehand = prepare || compute ? createBeforehand(pipeline, caller, request) : undefined
  const answer = await pipeline.singleFlight(
    `${claim.scope_id} ${claim.principal} ${idempotency_key}`,
    () => carryOutOnce({ pipeline, claim, caller, request, beforehand }),
    request.waitWithoutSlot,
  )
  return finish ? finishAnswer(pipeline, answer, caller, request) : answer
}

/** If the outcome of COMMIT is unknown, the same command claims the key again, once the first transaction has ended. */
async function carryOutOnce(change: Change): Promise<Answer> {
  const { pipeline, caller, request, beforehand } = change
  const { workspace_id } = request.headers
  const { user_id } = caller
  // Standing is not judged yet. A caller who is not a known member is charged to their own share, or strangers could
  // use up the Workspace's.
  const share = shareOf({
    workspace_id: chargedWorkspace(pipeline.knownMembers, caller, workspace_id),
    user_id,
  })
  let answer: Answer | undefined
  const attempt = () =>
    pipeline.writers.transaction({ workspace_id, user_id, share }, async tx => {
      answer = await carryOut(tx, change, answer)
      return answer
    })
  if (!beforehand) return untilPrepared(() => untilCommitKnown(attempt))
  try {
    return await untilPrepared(() => untilCommitKnown(attempt))
  } catch (error) {
    if (error instanceof Problem && error.status < 500) beforehand.abandon()
    throw error
  }
}

/** The steps of a change in its transaction. */
async function carryOut(tx: Transaction, change: Change, unconfirmed: Answer | undefined): Promise<Answer> {
  const { pipeline, claim, caller, request, beforehand } = change
  const { implementation, input } = request
  const { earlier, admit } = await sendFirstBatch(tx, change)
  if (earlier) commitAfterStandby(tx)
  // The attempt before this one had committed. Its own effect may have ended the caller's standing, which it had judged.
  if (unconfirmed && earlier?.command_id === claim.command_id) return unconfirmed
  const standing = await admit()
  if (standing) pipeline.knownMembers.add(caller, standing)
  const now = pipeline.now()
  const context = { caller, standing, tx, now, refuse: implementation.refuse }
  if (earlier) return replayEarlier(change, earlier, context)
  const outcome = await implementation.handle(
    input as never,
    { ...context, prepared: beforehand?.prepared(standing), computed: beforehand?.computed } as never,
  )
  const keptIn = request.headers.workspace_id ?? outcome.workspace_id
  if (!keptIn) throw new Error(`${claim.operation.name} does not name the Workspace of its receipt.`)
  const answer = await settle(tx, pipeline.jobs, claim, caller, outcome, keptIn, now)
  return {
    status: statusOf(claim.operation, outcome),
    body: {
      ...answer,
      request_id: claim.request_id,
      original_request_id: claim.request_id,
      idempotent_replay: false,
    },
    replay: false,
    ...(outcome.revision !== undefined && { revision: outcome.revision }),
  }
}

/**
 * The first round trip. PostgreSQL runs its statements in this order, and each relies on those before it:
 *
 * 1. The claim locks the Idempotency-Key. If the key is free, it also locks the caller's authority, shared: whoever takes
 *    that away waits until this transaction ends.
 * 2. The standing is read under these locks. The transaction keeps the rows that it was judged by: the seal.
 * 3. The prefetch locks and reads what the handler opens first, with the standing that the caller had last time. It locks
 *    only if the seal is that of last time, and the key was free (`mayLockForSql`).
 *
 * `admit` gives the standing, or throws. A change with an exclusive lock of its own (`locks`) takes that lock before its
 * authority, in a second round trip with the prefetch, and only for a caller who may do this.
 */
async function sendFirstBatch(
  tx: Transaction,
  { pipeline: { knownMembers }, claim, caller, request, beforehand }: Change,
): Promise<{
  earlier: EarlierCommand | null
  admit(): Promise<Standing | GuestStanding | null>
}> {
  const { implementation, input } = request
  const { workspace_id } = request.headers
  const { locks, prefetch, scopes } = implementation
  const { guests } = claim.operation
  const last = workspace_id === null ? null : knownMembers.standingOf(caller, workspace_id)
  const sendPrefetch = (standing: Standing | GuestStanding | null) =>
    prefetch &&
    (!beforehand || beforehand.isPrepared()) &&
    tx.prefetch(() => prefetch(input as never, { caller, standing, tx } as never))
  const lockAndAdmit = async (workspace_id: string) => {
    const standing = await lockStanding(tx, caller, workspace_id, { guests, locks })
    requireScopes(standing, scopes)
    return standing
  }

  const claiming = claimKeyAndLockAuthority(tx, claim, {
    workspace_id,
    targets: workspace_id && !locks ? authorityLocks(caller) : [],
  })
  const reading = workspace_id
    ? currentStanding(tx, caller, workspace_id, { guests, wasGuest: last?.role === null })
    : null
  if (!locks && isLikelySame(last, scopes)) sendPrefetch(last)

  const [claimed, read] = await Promise.allSettled([claiming, reading])
  // A batch stops at its first error: if the claim failed, so did the read of the standing. The claim's error says why.
  if (claimed.status === 'rejected') throw claimed.reason
  const { earlier, waited } = claimed.value
  return {
    earlier,
    async admit() {
      if (workspace_id && waited) return lockAndAdmit(workspace_id)
      if (read.status === 'rejected') throw read.reason
      const standing = read.value
      if (!workspace_id || !standing) return null
      requireScopes(standing, scopes)
      if (!locks) return standing
      const admitting = lockAndAdmit(workspace_id)
      if (!earlier) sendPrefetch(standing)
      return admitting
    },
  }
}

/** Whether the standing of last time, null outside of a Workspace, is likely to admit the caller again. */
function isLikelySame(
  last: Standing | GuestStanding | null | undefined,
  scopes: readonly Scope[],
): last is Standing | GuestStanding | null {
  if (last === null) return true
  // Without a seal, no statement can tell whether the standing is still the same.
  if (!last?.seal) return false
  for (const scope of scopes) if (!last.permissions.has(scope)) return false
  return true
}

/** The stored answer of an earlier request with the same key, for a caller who can still see what it is about. */
async function replayEarlier(
  { pipeline, claim, caller, request: { implementation, input } }: Change,
  earlier: EarlierCommand,
  context: { standing: Standing | GuestStanding | null; tx: Transaction },
): Promise<Answer> {
  const { standing, tx } = context
  const inReceipts = implementation.outsiders
    ? null
    : (standing ?? (await standingInReceipts(tx, caller, earlier, claim.operation)))
  await implementation.visible?.(input as never, context as never)
  requireSameRequest(claim, earlier)
  if (inReceipts)
    await requireVisible(pipeline.visibilityChecks, earlier, { caller, standing: inReceipts, tx })
  const stored = JSON.parse(earlier.answer) as object
  const answer = implementation.replayed?.(stored as never, standing as never) ?? stored
  return {
    status: earlier.status,
    body: {
      ...answer,
      request_id: claim.request_id,
      original_request_id: earlier.request_id,
      idempotent_replay: true,
    },
    replay: true,
  }
}

/**
 * The standing in the Workspace that keeps the receipt of a command which ran outside a Workspace. Its stored answer is
 * only for those who still belong there.
 */
async function standingInReceipts(
  tx: Transaction,
  caller: Caller,
  { receipt_workspace_id }: EarlierCommand,
  { guests }: Mutation,
): Promise<Standing | GuestStanding> {
  tx.enter({ workspace_id: receipt_workspace_id, user_id: caller.user_id })
  return lockStanding(tx, caller, receipt_workspace_id, { guests })
}

function requireSameRequest(claim: Claim, { fingerprint, request_id }: EarlierCommand): void {
  if (fingerprint.equals(claim.fingerprint)) return
  throw new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different request, so nothing was done. Use a new key for each change.',
    { original_request_id: request_id },
  )
}

/**
 * The answer as it has become since the commit. The change was made, so a failure here leaves the answer as it was; the log has
 * it, unless it is a refusal.
 */
async function finishAnswer(
  { readers, log }: Pipeline,
  answer: Answer,
  caller: Caller,
  { implementation, headers: { workspace_id }, request_id, waitWithoutSlot = waitAtOnce }: ValidRequest,
): Promise<Answer> {
  if (workspace_id === null || !implementation.finish) return answer
  const read = readers.scoped({ workspace_id, user_id: caller.user_id })
  try {
    const standing = await standingIn(read, caller, workspace_id, implementation.operation)
    const context = { caller, standing, read, waitWithoutSlot }
    const { result, revision } = await implementation.finish(answer.body as never, context as never)
    return { ...answer, body: { ...answer.body, ...result }, ...(revision !== undefined && { revision }) }
  } catch (error) {
    const { name: operation } = implementation.operation
    if (!(error instanceof Problem))
      log.error(
        { request_id, operation, fault: faultRecord(error) },
        'a change was made, and its answer not finished',
      )
    return answer
  }
}
