import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, linesOfText, nullable, open, uuid, uuidCursor } from '../schema.ts'
import { fileIds, NamedFile, TaskId, taskWriting, taskQuery } from './task-schema.ts'

export const TaskComment = component(
  'TaskComment',
  open({
    comment_id: uuid(),
    task_id: TaskId,
    text: T.String(),
    files: T.Array(NamedFile),
    created_by: open({
      user_id: uuid(),
      name: nullable(T.String()),
    }),
    created_at: dateTime(),
  }),
)

export const listTaskComments = query('list_task_comments', {
  ...taskQuery,
  http: 'GET /v1/tasks/{task_id}/comments',
  summary: 'List the comments on a Task, oldest first.',
  description:
    'In a Room whose participant_visibility is managers, people from outside the Workspace who lack full access do not see comments of each other.',
  input: { task_id: TaskId, cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(TaskComment),
  problems: ['not_found'],
})

export const createTaskComment = mutation('create_task_comment', {
  ...taskWriting,
  http: 'POST /v1/tasks/{task_id}/comments',
  summary: 'Comment on a Task.',
  description:
    'Everybody who sees the Task and may write Tasks can comment, also when it is done or canceled; not in an archived Room. The revision of the Task stays. A Task can have at most 10,000 comments.',
  input: {
    task_id: TaskId,
    text: linesOfText(10_000, {
      description: 'The comment.',
      example: 'Is the lease of the second warehouse assignable?',
    }),
    file_ids: T.Optional(fileIds('Files that belong to the comment.')),
  },
  output: { data: TaskComment },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['task.commented'],
})
