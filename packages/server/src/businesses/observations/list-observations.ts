import { listObservations } from '@wbs/contract/businesses/observations'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { isLinked } from '../business-access-store.ts'
import { notLinked } from '../business-access.ts'
import { observationsOf } from './observation-store.ts'
import { presentObservation } from './observation-view.ts'

export const handleListObservations = implement(
  listObservations,
  async function listObservations(input, { standing, read, refuse }) {
    const { workspace_id } = standing
    const { business_id, key = null, include_retracted = false, cursor = null, limit = 20 } = input
    const [linked, found] = await Promise.all([
      isLinked(read, workspace_id, business_id),
      observationsOf(read, workspace_id, business_id, { key, include_retracted, before: cursor }, limit + 1),
    ])
    if (!linked) throw refuse.not_found(notLinked)
    const { data, page } = pageOf(found, limit, observation => observation.observation_id)
    return { result: { data: data.map(presentObservation), page } }
  },
)
