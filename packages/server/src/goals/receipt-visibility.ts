import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { visibleGoalById } from './goal-access.ts'

/** Whether a caller can see the Goal that a receipt names. */
export const goalVisibility: Pick<VisibilityChecks, 'goal'> = {
  goal: async (id, context) => (await visibleGoalById(context, context.tx, id)) !== undefined,
}
