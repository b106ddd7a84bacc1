import { createObservation } from '@wbs/contract/businesses/observations'
import { implement } from '../../call/implement.ts'
import { checkLinked, lockLinkOfCaller, requireLink } from '../business-access.ts'
import { sourceErrors } from '../facts/fact-input.ts'
import { saveObservation } from './observation-store.ts'
import { observationErrors } from './observation.ts'
import { presentObservation } from './observation-view.ts'

export const handleCreateObservation = implement(
  createObservation,
  async function createObservation({ business_id, ...given }, context) {
    const { tx, caller, standing, now, refuse } = context
    const { workspace_id } = standing
    const errors = [...observationErrors(given.value, given.observed_on, now), ...sourceErrors(given.source)]
    if (errors.length > 0) throw refuse.validation_error('The observation is not valid.', { errors })
    requireLink(await lockLinkOfCaller(context, business_id, 'keep'), refuse)
    const saved = saveObservation(tx, { workspace_id, business_id, user_id: caller.user_id, now }, given)
    const { observation_id } = saved
    return {
      result: { data: presentObservation(saved) },
      resource: { type: 'observation', id: observation_id },
      events: [
        {
          type: 'business.observation_recorded',
          subject: { type: 'business', id: business_id, name: null },
          data: { observation_id },
        },
      ],
    }
  },
  {
    visible: checkLinked,
    prefetch: ({ business_id }, context) => lockLinkOfCaller(context, business_id, 'keep'),
  },
)
