import { completeTask } from '@wbs/contract/tasks/tasks'
import { taskMachine } from '@wbs/contract/tasks/task-schema'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { requireActivePlace } from '../rooms/place-access.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { requireEvidence, requireFewFiles, requireFilesForTask } from './evidence/evidence-access.ts'
import { addEvidence } from './evidence/evidence-change-store.ts'
import { beforeTaskChange, openTask, requireRights } from './task-access.ts'
import { saveTask } from './task-change-store.ts'
import { presentTask, replayedTask, taskEvent, taskResource } from './task-view.ts'

export const handleCompleteTask = implement(
  completeTask,
  async function completeTask({ task_id, expected_revision, note = null, evidence_file_ids = [] }, context) {
    const { caller, tx, standing, now, refuse } = context
    const task = await openTask(context, task_id)
    requireRights(context, task, 'progress')
    const named = { field: 'evidence_file_ids', file_ids: evidence_file_ids }
    const files = await requireFilesForTask(context, task, named)
    requireActivePlace(task, refuse)
    const status = requireMove(
      taskMachine,
      'complete',
      task.status,
      'Only a Task that is not finished can be completed.',
      refuse,
    )
    requireFewFiles(task, files, refuse)
    const changed = [
      'status',
      'completed_at',
      ...(note === null ? [] : ['terminal_reason']),
      ...(files.length === 0 ? [] : ['evidence']),
    ]
    requireRevision(task, expected_revision, changed, refuse)
    await requireEvidence(context, task, files)
    const ended = { status, terminal_reason: note, completed_at: now.toISOString() }
    const saved = {
      ...saveTask(tx, viewerOf(context), task, ended, now),
      evidence: addEvidence(tx, task, files, caller.user_id, now),
    }
    return {
      result: { data: presentTask(saved, standing) },
      revision: saved.revision,
      resource: taskResource(saved),
      changed,
      events: [taskEvent('task.completed', saved, null, { evidence_file_ids })],
    }
  },
  { ...beforeTaskChange, replayed: replayedTask },
)
