import { getRequestProgress } from '@wbs/contract/tasks/requests'
import { implement } from '../../call/implement.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { requestProgress } from './request-progress-store.ts'

export const handleGetRequestProgress = implement(
  getRequestProgress,
  async function getRequestProgress({ room_id }, context) {
    const { read, refuse } = context
    const data = await requestProgress(read, viewerOf(context), room_id)
    if (!data) throw refuse.not_found('There is no such Room, or you cannot see it.')
    return { result: { data } }
  },
)
