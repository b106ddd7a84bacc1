import { listGoals } from '@wbs/contract/goals/goals'
import { implement } from '../call/implement.ts'
import { requireRoomOfFilter } from '../rooms/place-access.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { goalsPage } from './goal-page-store.ts'
import { presentGoal } from './goal-view.ts'

export const handleListGoals = implement(listGoals, async function listGoals(input, context) {
  const { business_id, room_id, status, due_before, cursor: after = '', limit = 20 } = input
  const { caller, standing, read } = context
  const accountable_user_id =
    input.accountable_user_id === 'me' ? caller.user_id : input.accountable_user_id?.toLowerCase()
  await requireRoomOfFilter(context, room_id)
  const filter = { business_id, room_id, status, accountable_user_id, due_before }
  const { rows, cursor } = await goalsPage(read, viewerOf(context), filter, { after, limit })
  const data = rows.map(row => presentGoal(row, standing))
  return { result: { data, page: { cursor, has_more: cursor !== null } } }
})
