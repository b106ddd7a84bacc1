import { cancelTask } from '@wbs/contract/tasks/tasks'
import { taskMachine } from '@wbs/contract/tasks/task-schema'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { requireActivePlace } from '../rooms/place-access.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { beforeTaskChange, openTask, requireRights } from './task-access.ts'
import { saveTask } from './task-change-store.ts'
import { presentTask, replayedTask, taskEvent, taskResource } from './task-view.ts'

export const handleCancelTask = implement(
  cancelTask,
  async function cancelTask({ task_id, expected_revision, note = null }, context) {
    const { tx, standing, now, refuse } = context
    const task = await openTask(context, task_id)
    requireRights(context, task, 'everything')
    requireActivePlace(task, refuse)
    const status = requireMove(
      taskMachine,
      'cancel',
      task.status,
      'Only a Task that is not finished can be canceled.',
      refuse,
    )
    const changed = ['status', 'canceled_at', ...(note === null ? [] : ['terminal_reason'])]
    requireRevision(task, expected_revision, changed, refuse)
    const ended = { status, terminal_reason: note, canceled_at: now.toISOString() }
    const saved = saveTask(tx, viewerOf(context), task, ended, now)
    return {
      result: { data: presentTask(saved, standing) },
      revision: saved.revision,
      resource: taskResource(saved),
      changed,
      events: [taskEvent('task.canceled', saved, null)],
    }
  },
  { ...beforeTaskChange, replayed: replayedTask },
)
