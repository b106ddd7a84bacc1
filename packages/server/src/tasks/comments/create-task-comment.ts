import type { InputOf } from '@wbs/contract/operation'
import { createTaskComment } from '@wbs/contract/tasks/comments'
import { implement } from '../../call/implement.ts'
import { requireActivePlace } from '../../rooms/place-access.ts'
import { viewerOf, type CallerOfChange } from '../../rooms/room-access.ts'
import { requireFilesForTask } from '../evidence/evidence-access.ts'
import { beforeTaskChange, openTask } from '../task-access.ts'
import { personById } from '../task-named-store.ts'
import { namedFor, taskEvent, taskResource, type Showing } from '../task-view.ts'
import { insertComment } from './comment-change-store.ts'
import { hasMostComments, mostComments } from './comment-store.ts'
import { presentComment } from './comment-view.ts'

type Input = InputOf<typeof createTaskComment>

export const handleCreateTaskComment = implement(
  createTaskComment,
  async function createTaskComment({ task_id, text, file_ids = [] }, context) {
    const { caller, tx, standing, now, refuse } = context
    const [task, isFull, author] = await Promise.all([
      openTask(context, task_id),
      ...readOther(task_id, context),
    ])
    const files = await requireFilesForTask(context, task, { field: 'file_ids', file_ids })
    requireActivePlace(task, refuse)
    if (isFull) throw refuse.limit_reached(`A Task can have at most ${mostComments} comments.`)
    const by = author ?? { user_id: caller.user_id, name: null }
    const comment = insertComment(tx, task, { text, files, author: by }, now)
    const { comment_id } = comment
    return {
      result: { data: presentComment(comment, standing) },
      resource: taskResource(task),
      events: [taskEvent('task.commented', task, null, { comment_id })],
    }
  },
  {
    visible: beforeTaskChange.visible,
    prefetch: lockAndReadOther,
    replayed: (answer, standing: Showing) => ({
      ...answer,
      data: { ...answer.data, files: namedFor(answer.data.files, standing) },
    }),
  },
)

/** Whether the Task is full, read under its lock, and who comments. */
const readOther = (task_id: string, context: CallerOfChange) =>
  [
    hasMostComments(context.tx, viewerOf(context), task_id),
    personById(context.tx, context.caller.user_id),
  ] as const

function lockAndReadOther({ task_id }: Input, context: CallerOfChange) {
  return Promise.all([beforeTaskChange.prefetch({ task_id }, context), ...readOther(task_id, context)])
}
