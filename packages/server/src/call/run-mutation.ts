import { randomUUID } from 'node:crypto'
import type { Mutation } from '@wbs/contract/operation'
import type { Scope } from '@wbs/contract/scopes'
import { CommitUnknown, type Transaction } from '../database/writer.ts'
import { principalOf, type Caller } from './caller.ts'
import { claimKey, commandByRequest, type Claim, type EarlierCommand } from './claim-key.ts'
import { fingerprint } from './fingerprint.ts'
import { Problem, refuseWith, unavailable } from './problem.ts'
import type { Answer, Pipeline, ValidRequest } from './run.ts'
import { settle } from './settle.ts'
import { lockStanding, requireScope, type Standing } from './standing.ts'

/** Carries out a change once for its Idempotency-Key, in one transaction, or gives the answer of the first time again. */
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
  const scope = { workspace_id, user_id: caller.user_id }
  let answer: Answer | undefined
  try {
    await pipeline.oneAtATime(`${claim.scope_id} ${claim.principal} ${idempotency_key}`, () =>
      pipeline.writers.transaction(scope, async tx => {
        answer = await claimAndCarryOut(tx, pipeline, claim, caller, request)
      }),
    )
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error
    // COMMIT was sent and its answer lost: what the request left in the database says whether it took effect.
    const { one } = pipeline.readers.scoped(scope)
    const command = await one(commandByRequest, [
      claim.scope_id,
      claim.principal,
      idempotency_key,
      claim.request_id,
    ])
    if (!command && !answer?.replay)
      throw unavailable('The connection to the database was lost; nothing was changed.')
  }
  return answer as Answer
}

async function claimAndCarryOut(
  tx: Transaction,
  pipeline: Pipeline,
  claim: Claim,
  caller: Caller,
  request: ValidRequest,
): Promise<Answer> {
  const { operation } = claim
  const { implementation, input } = request
  const { workspace_id } = request.headers
  const [earlier, standing] = await Promise.all([
    claimKey(tx, claim),
    workspace_id ? standingFor(tx, caller, workspace_id, operation.scope) : null,
  ])
  const now = pipeline.now()
  const context = { caller, standing, tx, now, refuse: refuseWith(operation.problems) }
  if (earlier) {
    await implementation.visible?.(input as never, context as never)
    return replay(claim, earlier)
  }
  const outcome = await implementation.handle(input as never, context as never)
  const keptIn = workspace_id ?? outcome.workspace_id
  if (!keptIn) throw new Error(`${operation.name} does not say in which Workspace its receipt is kept.`)
  const answer = await settle(tx, claim, caller, outcome, keptIn, now)
  const body = {
    ...answer,
    request_id: claim.request_id,
    original_request_id: claim.request_id,
    idempotent_replay: false,
  }
  return {
    status: operation.status,
    body,
    replay: false,
    ...(outcome.revision !== undefined && { revision: outcome.revision }),
  }
}

async function standingFor(
  tx: Transaction,
  caller: Caller,
  workspace_id: string,
  scope: Scope | undefined,
): Promise<Standing> {
  const standing = await lockStanding(tx, caller, workspace_id)
  if (scope) requireScope(standing, scope)
  return standing
}

function replay(claim: Claim, earlier: EarlierCommand): Answer {
  const original_request_id = earlier.request_id
  if (!earlier.fingerprint.equals(claim.fingerprint)) {
    const detail =
      'This Idempotency-Key was used for another request; nothing was done. Use a new key for a new change.'
    throw new Problem('idempotency_key_reused', detail, { original_request_id })
  }
  const answer = JSON.parse(earlier.answer) as object
  const body = { ...answer, request_id: claim.request_id, original_request_id, idempotent_replay: true }
  return { status: earlier.status, body, replay: true }
}
