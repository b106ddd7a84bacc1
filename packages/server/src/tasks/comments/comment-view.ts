import { namedFor, type Showing } from '../task-view.ts'
import type { CommentRow } from './comment-store.ts'

/** A comment for an answer. The row was read for the viewer. */
export function presentComment(row: CommentRow, standing: Showing) {
  const { comment_id, task_id, text, files, created_by: user_id, name, created_at } = row
  return {
    comment_id,
    task_id,
    text,
    files: namedFor(files, standing),
    created_by: { user_id, name },
    created_at,
  }
}
