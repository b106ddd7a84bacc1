import { listTaskComments } from '@wbs/contract/tasks/comments'
import { implement } from '../../call/implement.ts'
import { shownOf } from '../../call/page.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { requireTask } from '../task-access.ts'
import { commentsPage } from './comment-store.ts'
import { presentComment } from './comment-view.ts'

export const handleListTaskComments = implement(
  listTaskComments,
  async function listTaskComments({ task_id, cursor: after = null, limit = 20 }, context) {
    const { read, standing } = context
    await requireTask(context, read, task_id)
    const found = await commentsPage(read, viewerOf(context), task_id, { after, limit: limit + 1 })
    const { count, has_more } = shownOf(found, limit)
    const comments = found.slice(0, count)
    const cursor = has_more ? (comments.at(-1)?.comment_id ?? null) : null
    const data = comments.map(comment => presentComment(comment, standing))
    return { result: { data, page: { cursor, has_more } } }
  },
)
