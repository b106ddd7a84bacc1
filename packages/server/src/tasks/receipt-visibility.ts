import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { visibleTaskById } from './task-access.ts'

/** Whether a caller can see the Task that a receipt names. */
export const taskVisibility: Pick<VisibilityChecks, 'task'> = {
  task: async (id, context) => (await visibleTaskById(context, context.tx, id)) !== undefined,
}
