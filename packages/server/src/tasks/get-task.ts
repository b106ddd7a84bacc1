import { getTask } from '@wbs/contract/tasks/tasks'
import { implement } from '../call/implement.ts'
import { requireTask } from './task-access.ts'
import { presentTask } from './task-view.ts'

export const handleGetTask = implement(getTask, async function getTask({ task_id }, context) {
  const task = await requireTask(context, context.read, task_id)
  return {
    result: { data: presentTask(task, context.standing) },
    revision: task.revision,
    // The names of Files, and who can open them, change without a new revision of the Task.
    hasUnversioned: task.evidence.length > 0,
  }
})
