import { namedFor, type Showing } from '../task-view.ts'
import type { CommentRow } from './comment-store.ts'

/** A comment for the answer to the viewer for whom the row was read. */
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
