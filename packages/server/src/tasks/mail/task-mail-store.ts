import { unfinishedStatuses, type TaskKind } from '@wbs/contract/tasks/task-schema'
import { read, type Reader } from '../../database/statement.ts'
import { placeLevelSql } from '../../rooms/visibility/place-visibility-store.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { placedTasks } from '../task-visibility-store.ts'

/** What a mail about Tasks says of their place, and where it goes. */
interface Recipient {
  email: string | null
  workspace_name: string
}

export interface TaskToMail extends Recipient {
  title: string
  description: string | null
  kind: TaskKind
  room_id: string | null
  room_title: string | null
  creator_name: string | null
  due_at: string | null
}

export interface RequestsToMail extends Recipient {
  room_title: string
  count: number
  first_due_at: string | null
}

/** A Task that is assigned to the viewer, who can see it, and that is not finished. */
export const taskToMail = (
  reader: Reader,
  viewer: Viewer,
  task_id: string,
): Promise<TaskToMail | undefined> => reader.one(assignedTask, { ...asViewer(viewer), task_id })

/**
 * The Tasks of a Room that are assigned to the viewer, who can see them, and that are not finished: `most` of them are counted.
 * Undefined if there is none.
 */
export const requestsToMail = (
  reader: Reader,
  viewer: Viewer,
  room_id: string,
  most: number,
): Promise<RequestsToMail | undefined> => reader.one(assignedRequests, { ...asViewer(viewer), room_id, most })

const isToDoSql = `t.workspace_id = :workspace_id and t.assignee_user_id = :viewer_id
  and t.status in (${unfinishedStatuses.map(status => `'${status}'`).join(', ')})
  and ${placeLevelSql('t', placedTasks)} is not null`

const assignedTask = read<TaskToMail>(
  'task_to_mail',
  `select u.email, w.name as workspace_name, t.title, t.description, t.kind, t.room_id, r.title as room_title,
     creator.name as creator_name, t.due_at
   from tasks t join workspaces w on w.id = t.workspace_id join users u on u.id = t.assignee_user_id
   left join rooms r on r.workspace_id = :workspace_id and r.id = t.room_id
   left join users creator on creator.id = t.created_by
   where t.id = :task_id and w.status <> 'closed' and ${isToDoSql}`,
)

const assignedRequests = read<RequestsToMail>(
  'requests_to_mail',
  `select u.email, w.name as workspace_name, r.title as room_title, least(found.count, :most)::integer as count, found.first_due_at
   from (
     select count(*) as count, min(t.due_at) as first_due_at from tasks t where t.room_id = :room_id and ${isToDoSql}
   ) found
   join rooms r on r.workspace_id = :workspace_id and r.id = :room_id join workspaces w on w.id = :workspace_id join users u on u.id = :viewer_id
   where found.count > 0 and w.status <> 'closed'`,
  'long',
)
