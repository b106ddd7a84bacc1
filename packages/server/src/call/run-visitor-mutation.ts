import type { Mutation } from '@wbs/contract/operation'
import { shareOf } from '../database/connections/connection.ts'
import type { Answer, Pipeline, ValidRequest } from './call.ts'
import { createBeforehand } from './beforehand.ts'
import { untilPrepared, commitAfterStandby, untilCommitKnown } from './commands/attempts.ts'
import { fingerprint } from './commands/claim-key.ts'
import type { Implementation } from './implement.ts'

/**
 * Runs a visitor's change once for its Idempotency-Key, in one transaction. A visitor has no principal, so the key counts for
 * one request alone: the same key with another body is another request. The handler keeps the digest of the request with
 * what it makes, and finds it again by that.
 */
export async function runVisitorMutation(
  pipeline: Pipeline,
  operation: Mutation,
  request: ValidRequest,
): Promise<Answer> {
  const { implementation, headers, input, request_id, waitWithoutSlot } = request
  const { visitor, refuse } = implementation
  if (!visitor) throw new Error(`${operation.name} has no handler for visitors.`)
  const request_digest = fingerprint(pipeline.secret, operation, [headers.idempotency_key, input])
  const scope = { workspace_id: null, user_id: null, share: shareOf(null) }
  const { computed } = createBeforehand(pipeline, null, request)
  let first: Awaited<ReturnType<NonNullable<Implementation['visitor']>>>
  const attempt = () =>
    pipeline.writers.transaction(scope, async tx => {
      const context = { tx, now: pipeline.now(), request_id, request_digest, refuse, computed }
      const outcome = await visitor(input as never, context as never)
      if (outcome.found) commitAfterStandby(tx)
      // After a COMMIT whose outcome was unknown, the second attempt finds what the first one made if that was committed.
      const isOurs = outcome.found === request_id
      if (!isOurs || !first) first = outcome
      return first
    })
  const { result, revision, found } = await pipeline.singleFlight(
    `visitor ${request_digest.toString('base64')}`,
    () => untilPrepared(() => untilCommitKnown(attempt)),
    waitWithoutSlot,
  )
  const original_request_id = found ?? request_id
  const replay = original_request_id !== request_id
  return {
    status: operation.status,
    body: { ...result, request_id, original_request_id, idempotent_replay: replay },
    replay,
    ...(revision !== undefined && { revision }),
  }
}
