import { listObservations } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { isLinked } from './business-access-store.ts'
import { notLinked } from './business-access.ts'
import { observationsOf } from './observation-store.ts'
import { presentObservation } from './observation-view.ts'

export const handleListObservations = implement(
  listObservations,
  async (input, { standing, read, refuse }) => {
    const { workspace_id } = standing
    const { business_id, key = null, include_retracted = false, cursor = null, limit = 20 } = input
    const [linked, found] = await Promise.all([
      isLinked(read, workspace_id, business_id),
      observationsOf(read, workspace_id, business_id, { key, include_retracted, before: cursor }, limit + 1),
    ])
    if (!linked) throw refuse.not_found(notLinked)
    const page = found.slice(0, limit)
    const has_more = found.length > limit
    return {
      result: {
        data: page.map(presentObservation),
        page: { cursor: has_more ? (page.at(-1)?.observation_id ?? null) : null, has_more },
      },
    }
  },
)
