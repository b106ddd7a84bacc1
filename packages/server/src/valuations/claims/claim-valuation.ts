import type { InputOf } from '@wbs/contract/operation'
import { claimValuation } from '@wbs/contract/valuations/claims'
import { visitorValuationMachine } from '@wbs/contract/valuations/valuations'
import { beforeBusinessChange, canSeeBusiness, openBusiness } from '../../businesses/business-access.ts'
import type { Standing } from '../../call/authority/standing.ts'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import { requireMove } from '../../call/state.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { roomsToTell, valuationEventsFor } from '../valuation-events.ts'
import { claimDigest } from '../visitors/claim-token.ts'
import { claimByToken, stateOfToken, type TokenState } from './claim-store.ts'

type Input = InputOf<typeof claimValuation>

interface Claimer {
  tx: Transaction
  standing: Standing
}
interface Refusing {
  refuse: Refuse<'not_found' | 'state_conflict'>
}

export const handleClaimValuation = implement(
  claimValuation,
  async function claimValuation(input, context) {
    const { valuation_id, business_id, claim_token } = input
    const { tx, standing, refuse } = context
    const { workspace_id } = standing
    const state = requireNamed(await readNamed(input, context), refuse)
    await openBusiness(context, business_id, 'edit')
    requireMove(visitorValuationMachine, 'claim', state, hasClaimed, refuse)
    const digest = claimDigest(claim_token)
    const [summary, rooms] = await Promise.all([
      claimByToken(tx, { workspace_id, business_id, valuation_id, digest }),
      roomsToTell(tx, workspace_id, business_id),
    ])
    if (!summary) throw await lost(input, context)
    return {
      result: { valuation_id, business_id, workspace_id, attached: true },
      resource: { type: 'valuation', id: valuation_id },
      changed: ['workspace_id', 'business_id', 'claimed_at'],
      ...valuationEventsFor('valuation.claimed', { workspace_id, valuation_id, summary }, rooms),
    }
  },
  {
    // The token shows who may have the answer again: a caller may claim valuations without reading others.
    outsiders: true,
    async visible(input, context) {
      requireNamed(await readNamed(input, context), context.refuse)
    },
    prefetch: (input, context) =>
      Promise.all([
        readNamed(input, context),
        beforeBusinessChange('edit').prefetch({ business_id: input.business_id }, context),
      ]),
  },
)

/** Why a token does not fit any more that did a moment ago: somebody was faster, in this Workspace or in another one. */
async function lost({ valuation_id, claim_token }: Input, { tx, standing, refuse }: Claimer & Refusing) {
  const state = await stateOfToken(tx, standing.workspace_id, valuation_id, claimDigest(claim_token))
  return state ? refuse.state_conflict(hasClaimed, { current_status: state }) : noSuchValuation(refuse)
}

/** Whether the Workspace sees the Business, and what became of the valuation to which the token belongs. */
const readNamed = ({ valuation_id, business_id, claim_token }: Input, { tx, standing }: Claimer) =>
  Promise.all([
    canSeeBusiness(tx, standing.workspace_id, business_id),
    stateOfToken(tx, standing.workspace_id, valuation_id, claimDigest(claim_token)),
  ])

/** Throws not_found unless the Workspace sees the Business and the token fits. */
function requireNamed(
  [seesBusiness, state]: [boolean, TokenState | undefined],
  refuse: Refuse<'not_found'>,
): TokenState {
  if (!seesBusiness) throw refuse.not_found('There is no such Business, or this Workspace cannot see it.')
  if (!state) throw noSuchValuation(refuse)
  return state
}

/** One refusal for all that a token cannot be used for, so that it reveals nothing. */
const noSuchValuation = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such valuation, or claim_token does not claim it, or does not any more.')

const hasClaimed = 'This Workspace has claimed the valuation already.'
