import { randomUUIDv7 } from 'node:crypto'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { NamedFileRow } from '../evidence/evidence-store.ts'
import type { Person } from '../task-named-store.ts'
import type { OpenedTask } from '../task-store.ts'
import type { CommentRow } from './comment-store.ts'

/** Inserts a comment on a Task. */
export function insertComment(
  tx: Transaction,
  { workspace_id, task_id }: OpenedTask,
  { text, files, author }: { text: string; files: NamedFileRow[]; author: Person },
  now: Date,
): CommentRow {
  const comment_id = randomUUIDv7()
  const { user_id, name } = author
  tx.save(commentInsert, {
    workspace_id,
    task_id,
    comment_id,
    text,
    file_ids: files.map(({ file_id }) => file_id),
    created_by: user_id,
    now,
  })
  return { comment_id, task_id, text, files, created_by: user_id, name, created_at: now.toISOString() }
}

const commentInsert = write(
  'task_comment_insert',
  `insert into task_comments (workspace_id, task_id, id, text, file_ids, created_by, created_at)
   values (:workspace_id, :task_id, :comment_id, :text, :file_ids, :created_by, :now)`,
)
