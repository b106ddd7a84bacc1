import { handleCreateGoal } from './create-goal.ts'
import { handleGetGoal } from './get-goal.ts'
import { handleListGoals } from './list-goals.ts'
import { handleReopenGoal } from './reopen-goal.ts'
import { handleUpdateGoal } from './update-goal.ts'

/** The handlers of this slice. Add a line for each new handler. */
export const goalHandlers = [
  handleCreateGoal,
  handleGetGoal,
  handleListGoals,
  handleUpdateGoal,
  handleReopenGoal,
] as const
