import { randomUUID } from 'node:crypto'
import { scopesOf, type Mutation } from '@wbs/contract/operation'
import { faultRecord } from '../telemetry/fault-record.ts'
import { shareOf } from '../database/connections/share.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { chargedWorkspace, type KnownMembers } from './authority/known-members.ts'
import { principalOf, type Caller } from './authority/caller.ts'
import { waitAtOnce } from './waiting/wait-without-slot.ts'
import { createBeforehand, type Beforehand } from './beforehand.ts'
import { untilPrepared, confirmEarlier, untilCommitKnown } from './commands/attempts.ts'

import { claimKey, type Claim, type EarlierCommand, fingerprint } from './commands/claim-key.ts'

import { Problem, refuseWith } from './problem.ts'
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
  const answer = await pipeline.singleFlight(
    `${claim.scope_id} ${claim.principal} ${idempotency_key}`,
    () => carryOutOnce(pipeline, claim, caller, request),
    request.waitWithoutSlot,
  )
  return request.implementation.finish ? finish(pipeline, answer, caller, request) : answer
}

/**
 * The answer as it has become since the commit. The change was made, so a failure here leaves the answer as it was; the log has
 * it, unless it is a refusal.
 */
async function finish(
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

/** If the outcome of COMMIT is unknown, the same command claims the key again, once the first transaction has ended. */
async function carryOutOnce(
  pipeline: Pipeline,
  claim: Claim,
  caller: Caller,
  request: ValidRequest,
): Promise<Answer> {
  const { workspace_id } = request.headers
  const { user_id } = caller
  // Standing is not judged yet. A caller who is not a known member is charged to their own share, or strangers could
  // use up the Workspace's.
  const share = shareOf({
    workspace_id: chargedWorkspace(pipeline.knownMembers, caller, workspace_id),
    user_id,
  })
  const scope = { workspace_id, user_id, share }
  const beforehand = createBeforehand(pipeline, caller, request)
  let answer: Answer | undefined
  try {
    return await untilPrepared(() =>
      untilCommitKnown(() =>
        pipeline.writers.transaction(scope, async tx => {
          answer = await claimAndCarryOut(tx, pipeline, claim, caller, { ...request, beforehand }, answer)
          return answer
        }),
      ),
    )
  } catch (error) {
    if (error instanceof Problem && error.status < 500) beforehand.abandon()
    throw error
  }
}

async function claimAndCarryOut(
  tx: Transaction,
  pipeline: Pipeline,
  claim: Claim,
  caller: Caller,
  request: ValidRequest & { beforehand: Beforehand },
  unconfirmed: Answer | undefined,
): Promise<Answer> {
  const { operation } = claim
  const { implementation, input, beforehand } = request
  const { workspace_id } = request.headers
  const { earlier, admit } = await claimAndReadStanding(tx, pipeline.knownMembers, claim, caller, request)
  if (earlier) confirmEarlier(tx)
  // This attempt committed after all. Its own effect may have ended the caller's standing, which was judged before.
  if (unconfirmed && earlier?.command_id === claim.command_id) return unconfirmed
  const standing = await admit()
  if (standing) pipeline.knownMembers.add(caller, standing)
  const now = pipeline.now()
  const context = { caller, standing, tx, now, refuse: refuseWith(operation.problems) }
  if (earlier) {
    const inReceipts = implementation.outsiders
      ? null
      : (standing ?? (await standingInReceipts(tx, caller, earlier, operation)))
    await implementation.visible?.(input as never, context as never)
    requireSameRequest(claim, earlier)
    if (inReceipts)
      await requireVisible(pipeline.visibilityChecks, earlier, { caller, standing: inReceipts, tx })
    const stored = JSON.parse(earlier.answer) as object
    return replay(claim, earlier, implementation.replayed?.(stored as never, standing as never) ?? stored)
  }
  const outcome = await implementation.handle(
    input as never,
    { ...context, prepared: beforehand.prepared(standing), computed: beforehand.computed } as never,
  )
  const keptIn = workspace_id ?? outcome.workspace_id
  if (!keptIn) throw new Error(`${operation.name} does not name the Workspace of its receipt.`)
  const answer = await settle(tx, pipeline.jobs, claim, caller, outcome, keptIn, now)
  const body = {
    ...answer,
    request_id: claim.request_id,
    original_request_id: claim.request_id,
    idempotent_replay: false,
  }
  return {
    status: statusOf(operation, outcome),
    body,
    replay: false,
    ...(outcome.revision !== undefined && { revision: outcome.revision }),
  }
}

/**
 * Claims the key and reads the caller's standing in one round trip. If the standing of last time is likely still valid,
 * the first statements of the handler are sent along. `admit` gives the standing or throws; if the change takes an
 * exclusive lock first, the handler's first statements are sent with that lock.
 */
async function claimAndReadStanding(
  tx: Transaction,
  knownMembers: Pick<KnownMembers, 'standingOf'>,
  claim: Claim,
  caller: Caller,
  { implementation, headers: { workspace_id }, input, beforehand }: ValidRequest & { beforehand: Beforehand },
): Promise<{
  earlier: EarlierCommand | null
  admit(): Promise<Standing | GuestStanding | null>
}> {
  const { operation, locks, prefetch } = implementation
  const { guests } = operation
  const requireMay = (standing: Standing | GuestStanding) => {
    requireScopes(standing, operation)
    return standing
  }
  const lockAndAdmit = async (workspace_id: string) =>
    requireMay(await lockStanding(tx, caller, workspace_id, { guests, locks }))
  const sendPrefetch = (standing: Standing | GuestStanding | null) =>
    prefetch &&
    beforehand.isPrepared() &&
    tx.prefetch(() => prefetch(input as never, { caller, standing, tx } as never))
  // Shared locks are taken with the claim. An exclusive lock is taken later, and only for a caller who may do this.
  const behind = { workspace_id, targets: workspace_id && !locks ? authorityLocks(caller) : [] }
  const claiming = claimKey(tx, claim, behind)
  const last = workspace_id === null ? null : knownMembers.standingOf(caller, workspace_id)
  const looking = workspace_id
    ? currentStanding(tx, caller, workspace_id, { guests, wasGuest: last?.role === null })
    : Promise.resolve(null)
  // Without a seal, no statement can tell whether the standing is still the same.
  const isLikely =
    last === null || (last?.seal && scopesOf(operation).every(scope => last.permissions.has(scope)))
  if (!locks && isLikely) sendPrefetch(last)
  const [claimed, looked] = await Promise.allSettled([claiming, looking])
  // If the claim failed, the read of the standing fails as well; the claim's error says why.
  const { earlier, waited } = valueOf(claimed)
  return {
    earlier,
    async admit() {
      if (workspace_id && waited) return lockAndAdmit(workspace_id)
      const standing = valueOf(looked)
      if (!workspace_id || !standing) return null
      requireMay(standing)
      if (!locks) return standing
      const admitting = lockAndAdmit(workspace_id)
      if (!earlier) sendPrefetch(standing)
      return admitting
    },
  }
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason
  return result.value
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

function replay(claim: Claim, earlier: EarlierCommand, answer: object): Answer {
  const body = {
    ...answer,
    request_id: claim.request_id,
    original_request_id: earlier.request_id,
    idempotent_replay: true,
  }
  return { status: earlier.status, body, replay: true }
}
