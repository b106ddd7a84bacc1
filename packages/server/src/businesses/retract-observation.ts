import { retractObservation } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { requireLinked } from './business-access.ts'
import { observationById, retract } from './observation-store.ts'
import { presentObservation } from './observation-view.ts'

export const handleRetractObservation = implement(
  retractObservation,
  async ({ business_id, observation_id }, { tx, standing, now, refuse }) => {
    const { workspace_id } = standing
    await requireLinked(tx, workspace_id, business_id, refuse)
    const retracted = await retract(tx, workspace_id, business_id, observation_id, now)
    if (!retracted) {
      if (!(await observationById(tx, workspace_id, business_id, observation_id)))
        throw refuse.not_found(noObservation)
      throw refuse.state_conflict('The observation was retracted before.', { current_status: 'retracted' })
    }
    return {
      result: { data: presentObservation(retracted) },
      resource: { type: 'observation', id: observation_id },
      changed: ['retracted_at'],
      events: [
        {
          type: 'business.observation_retracted',
          subject: { type: 'business', id: business_id, name: null },
          data: { observation_id },
        },
      ],
    }
  },
  {
    visible: async ({ business_id, observation_id }, { tx, standing, refuse }) => {
      const { workspace_id } = standing
      await requireLinked(tx, workspace_id, business_id, refuse)
      if (!(await observationById(tx, workspace_id, business_id, observation_id)))
        throw refuse.not_found(noObservation)
    },
  },
)

const noObservation = 'There is no such observation of this Business in this Workspace.'
