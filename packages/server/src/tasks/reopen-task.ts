import { reopenTask } from '@wbs/contract/tasks/tasks'
import { taskMachine } from '@wbs/contract/tasks/task-schema'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { requireActivePlace } from '../rooms/place-access.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { beforeTaskChange, openTask, requireRights } from './task-access.ts'
import { saveTask } from './task-change-store.ts'
import { presentTask, replayedTask, taskEvent, taskResource } from './task-view.ts'

const notTerminal = { terminal_reason: null, completed_at: null, canceled_at: null }

export const handleReopenTask = implement(
  reopenTask,
  async function reopenTask({ task_id, expected_revision, note = null }, context) {
    const { tx, standing, now, refuse } = context
    const task = await openTask(context, task_id)
    requireRights(context, task, 'progress')
    requireActivePlace(task, refuse)
    const status = requireMove(
      taskMachine,
      'reopen',
      task.status,
      'Only a Task that is done or canceled can be reopened.',
      refuse,
    )
    const cleared = (['terminal_reason', 'completed_at', 'canceled_at'] as const).filter(
      field => task[field] !== null && !task.hidden.includes(field),
    )
    const changed = ['status', ...cleared]
    requireRevision(task, expected_revision, changed, refuse)
    const saved = saveTask(tx, viewerOf(context), task, { status, ...notTerminal }, now)
    const { terminal_reason, completed_at, canceled_at } = task
    const earlier = { status: task.status, terminal_reason, completed_at, canceled_at }
    return {
      result: { data: presentTask(saved, standing) },
      revision: saved.revision,
      resource: taskResource(saved),
      changed,
      // It tells the earlier reason, so whoever may not know the guest who gave it does not see it.
      events: [taskEvent('task.reopened', saved, task.ended_by_guest, { note, earlier })],
    }
  },
  { ...beforeTaskChange, replayed: replayedTask },
)
