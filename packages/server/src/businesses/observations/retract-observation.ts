import type { Id } from '@wbs/contract/ids'
import { retractObservation } from '@wbs/contract/businesses/observations'
import { implement } from '../../call/implement.ts'
import { checkLinked, lockLinkOfCaller, requireLink, type CallerOfChange } from '../business-access.ts'
import { lockObservation, observationById, retract } from './observation-store.ts'
import { presentObservation } from './observation-view.ts'

export const handleRetractObservation = implement(
  retractObservation,
  async function retractObservation(input, context) {
    const { tx, standing, now, refuse } = context
    const { observation_id, business_id } = input
    const [link, observation] = await lockLinkAndObservation(input, context)
    requireLink(link, refuse)
    if (!observation) throw refuse.not_found(noObservation)
    if (observation.retracted_at !== null)
      throw refuse.state_conflict('The observation is already retracted.', { current_status: 'retracted' })
    const retracted = retract(tx, standing.workspace_id, observation, now)
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
    visible: async (input, context) => {
      const { tx, standing, refuse } = context
      await checkLinked(input, context)
      if (!(await observationById(tx, standing.workspace_id, input.business_id, input.observation_id)))
        throw refuse.not_found(noObservation)
    },
    prefetch: lockLinkAndObservation,
  },
)

/** Locks the link to the Business, then the observation. */
async function lockLinkAndObservation(
  { business_id, observation_id }: { business_id: Id<'biz'>; observation_id: Id<'obs'> },
  context: CallerOfChange,
) {
  const { tx, standing } = context
  return Promise.all([
    lockLinkOfCaller(context, business_id, 'keep'),
    lockObservation(tx, standing.workspace_id, business_id, observation_id, standing.seal),
  ])
}

const noObservation = 'There is no such observation of this Business in this Workspace.'
