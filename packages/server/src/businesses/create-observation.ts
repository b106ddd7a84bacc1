import { createObservation } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { requireLinked } from './business-access.ts'
import { sourceFaults } from './fact-input.ts'
import { insertObservation } from './observation-store.ts'
import { observationFaults } from './observation.ts'
import { presentObservation } from './observation-view.ts'

export const handleCreateObservation = implement(
  createObservation,
  async ({ business_id, ...given }, { tx, caller, standing, now, refuse }) => {
    const { workspace_id } = standing
    const errors = [...observationFaults(given.value, given.observed_on, now), ...sourceFaults(given.source)]
    if (errors.length > 0)
      throw refuse.validation_error('The observation cannot be taken as it is.', { errors })
    await requireLinked(tx, workspace_id, business_id, refuse)
    const by = { workspace_id, business_id, user_id: caller.user_id, now }
    const { observation_id, ...row } = await insertObservation(tx, by, given)
    return {
      result: { data: presentObservation({ observation_id, ...row }) },
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
    visible: ({ business_id }, { tx, standing, refuse }) =>
      requireLinked(tx, standing.workspace_id, business_id, refuse),
  },
)
