import {
  unfinishedStatuses as unfinished,
  type TaskKind,
  type TaskStatus,
  type Priority,
} from '@wbs/contract/tasks/task-schema'
import type { Reader } from '../database/statement.ts'
import { placedPage, placeScans, type PlaceScan } from '../rooms/visibility/place-page-store.ts'
import { knownFieldSql } from '../rooms/visibility/place-visibility-store.ts'
import type { Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { taskColumnsSql, type TaskRow } from './task-store.ts'
import { placedTasks } from './task-visibility-store.ts'

export interface TaskFilter {
  room_id: string | undefined
  business_id: string | undefined
  goal_id: string | undefined
  /** The ID of a user. */
  assignee: string | undefined
  status: TaskStatus | undefined
  kind: TaskKind | undefined
  priority: Priority | undefined
  due_before: string | undefined
  overdue: boolean | undefined
}

const isUnfinishedSql = `t.status in ('open', 'in_progress', 'blocked')`

const scans = placeScans<TaskRow>({
  ...placedTasks,
  columns: taskColumnsSql('page.access_level'),
  filter: `(:room_id::text is null or t.room_id = :room_id) and (:business_id::text is null or t.business_id = :business_id)
    and (:goal_id::text is null or t.goal_id = :goal_id) and (:assignee::uuid is null or t.assignee_user_id = :assignee)
    and (:status::text is null or t.status = :status) and (:kind::text is null or t.kind = :kind)
    and (:priority::text is null or t.priority = :priority) and (:due_before::timestamptz is null or t.due_at < :due_before)
    and (:overdue::boolean is null or
      (${isUnfinishedSql} and coalesce(t.due_at < statement_timestamp(), false)) = :overdue)`,
  // Nobody finds a Task by a Goal that it does not show them.
  known: `(:goal_id::text is null or ${knownFieldSql('t', 'seen.access_level', placedTasks, 'goal_id')} = :goal_id)`,
})

const isAssignedSql = 't.assignee_user_id = :assignee'

const ofViewer = scans.ofViewer('tasks_page')
const toDo = scans.ofViewer('tasks_page_to_do', isUnfinishedSql)
const ofGoal = scans.ofViewer('tasks_page_of_goal', 't.goal_id = :goal_id')
const ofBusiness = scans.ofViewer('tasks_page_of_business', 't.business_id = :business_id')
const ofAssignee = scans.ofViewer('tasks_page_of_assignee', isAssignedSql)
const ofRoom = scans.having('tasks_page_of_room', 't.room_id = :room_id')
const toDoOfRoom = scans.having('tasks_page_to_do_of_room', `t.room_id = :room_id and ${isUnfinishedSql}`)
const ofAssigneeInRoom = scans.having(
  'tasks_page_of_assignee_in_room',
  `t.room_id = :room_id and ${isAssignedSql}`,
)
const mine = scans.having('tasks_page_of_me', isAssignedSql)
const mineToDo = scans.having('tasks_page_to_do_of_me', `${isAssignedSql} and ${isUnfinishedSql}`)

/** The Tasks that the viewer can see, by id. A page can be short or empty although there are more. */
export const tasksPage = (
  reader: Reader,
  viewer: Viewer,
  filter: TaskFilter,
  page: { after: string; limit: number },
): Promise<{ rows: TaskRow[]; cursor: string | null }> =>
  placedPage(reader, viewer, scanFor(viewer, filter), filter, page)

/** The statement that starts from the fewest Tasks. Whoever has a Task assigned to them can see it, with few exceptions. */
function scanFor(
  { user_id, is_member }: Viewer,
  { assignee, goal_id, room_id, business_id, status, overdue }: TaskFilter,
): PlaceScan<TaskRow> {
  const isUnfinished = overdue === true || unfinished.some(unfinishedStatus => unfinishedStatus === status)
  if (assignee !== undefined && room_id !== undefined) return ofAssigneeInRoom
  if (room_id !== undefined) return isUnfinished ? toDoOfRoom : ofRoom
  if (assignee === user_id && isUnfinished) return mineToDo
  if (assignee === user_id && !is_member) return mine
  if (assignee !== undefined) return ofAssignee
  if (goal_id !== undefined) return ofGoal
  if (business_id !== undefined) return ofBusiness
  return isUnfinished ? toDo : ofViewer
}
