import { getGoal } from '@wbs/contract/goals/goals'
import { implement } from '../call/implement.ts'
import { requireGoal } from './goal-access.ts'
import { presentGoal, showsOther } from './goal-view.ts'

export const handleGetGoal = implement(getGoal, async function getGoal({ goal_id }, context) {
  const goal = await requireGoal(context, context.read, goal_id)
  return {
    result: { data: presentGoal(goal, context.standing) },
    revision: goal.revision,
    hasUnversioned: showsOther(goal),
  }
})
