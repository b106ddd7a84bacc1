import { signValuation, valuationMachine } from '@wbs/contract/valuations/valuations'
import { implement } from '../call/implement.ts'
import type { Refuse } from '../call/problem.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { beforeValuationChange, openValuation } from './valuation-access.ts'
import { saveSignature } from './valuation-change-store.ts'
import { valuationEvent } from './valuation-events.ts'
import type { OpenedValuation } from './valuation-store.ts'
import { presentValuation } from './valuation-view.ts'

export const handleSignValuation = implement(
  signValuation,
  async function signValuation({ valuation_id, expected_revision, statement, qualifications }, context) {
    const { tx, caller, now, refuse } = context
    const completed = await openValuation(context, valuation_id)
    if (caller.kind === 'key')
      throw refuse.forbidden('A person signs with their own access token; an API key cannot.')
    const detail = 'The valuation is a draft. Run it first.'
    requireMove(valuationMachine, 'sign', completed.status, detail, refuse)
    const result_hash = requireSignable(completed, refuse)
    requireRevision(completed, expected_revision, ['signature'], refuse)
    const signed_by = { user_id: caller.user_id, name: caller.name }
    const signature = { signed_by, signed_at: now.toISOString(), statement, qualifications, result_hash }
    const signed = saveSignature(tx, completed, signature, now)
    return {
      result: { data: presentValuation(signed) },
      revision: signed.revision,
      resource: { type: 'valuation', id: valuation_id },
      changed: ['signature'],
      events: [valuationEvent('valuation.signed', signed)],
    }
  },
  beforeValuationChange,
)

/** The hash of the result that is signed. Throws state_conflict unless it is an unsigned calculation. */
function requireSignable(
  { document, status, signature, result }: OpenedValuation,
  refuse: Refuse<'state_conflict'>,
): string {
  const members = { current_status: status }
  if (document.engagement_type !== 'calculation')
    throw refuse.state_conflict('Only a calculation is signed. Revise the valuation as one.', members)
  if (signature !== null) throw refuse.state_conflict('The valuation is signed already.', members)
  if (!result) throw new Error('A completed valuation has no result.')
  return result.engine.result_hash
}
