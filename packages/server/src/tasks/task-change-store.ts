import { newUnorderedId, type Id } from '@wbs/contract/ids'
import type { Priority, TaskKind } from '@wbs/contract/tasks/task-schema'
import { updateRevision, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { RoomRow } from '../rooms/room-store.ts'
import { isWritten } from '../rooms/visibility/givers-access.ts'
import type { Viewer } from '../rooms/visibility/room-visibility-store.ts'
import type { OpenedTask, TaskRow } from './task-store.ts'
import { placedTasks } from './task-visibility-store.ts'

/** A Task that is created. */
export interface NewTask {
  title: string
  description: string | null
  section: string | null
  business_id: Id<'biz'> | null
  goal_id: Id<'gol'> | null
  kind: TaskKind
  priority: Priority
  assignee_user_id: string | null
  requires_evidence: boolean
  due_at: string | null
}

/** Where Tasks are created, and who creates them. `room` is a Room that was opened, or null for the Workspace. */
export interface TaskPlace {
  workspace_id: string
  user_id: string
  room: Pick<RoomRow, 'room_id' | 'parent_status' | 'participant_visibility' | 'access_level'> | null
}

/** Inserts Tasks in one statement. Their ids are in the order in which the Tasks are given. */
export function insertTasks(
  tx: Transaction,
  { workspace_id, user_id, room }: TaskPlace,
  tasks: readonly NewTask[],
  now: Date,
): TaskRow[] {
  const at = now.toISOString()
  // Each id has a millisecond of its own, so that the list has the Tasks in the order in which they were given.
  const rows = tasks.map((task, index) => ({
    ...task,
    task_id: newUnorderedId('tsk', now.getTime() + index),
  }))
  tx.save(tasksInsert, {
    workspace_id,
    room_id: room && room.room_id,
    created_by: user_id,
    now,
    tasks: JSON.stringify(rows),
  })
  return rows.map(row => ({
    ...row,
    workspace_id,
    room_id: room && room.room_id,
    status: 'open',
    evidence: [],
    terminal_reason: null,
    completed_at: null,
    canceled_at: null,
    ended_by_guest: null,
    written_by: [],
    hidden: [],
    created_by: user_id,
    revision: 1,
    created_at: at,
    updated_at: at,
    room_status: room && 'active',
    parent_status: room && room.parent_status,
    masks_guests: room?.participant_visibility === 'managers',
    access_level: room?.access_level ?? 'edit',
  }))
}

type Changes = Partial<
  Pick<
    TaskRow,
    | 'title'
    | 'description'
    | 'section'
    | 'business_id'
    | 'goal_id'
    | 'assignee_user_id'
    | 'due_at'
    | 'priority'
    | 'requires_evidence'
    | 'status'
    | 'terminal_reason'
    | 'completed_at'
    | 'canceled_at'
  >
>

/** Saves a Task as a new revision, with who gave what the changes give. */
export function saveTask(
  tx: Transaction,
  { user_id, is_member }: Pick<Viewer, 'user_id' | 'is_member'>,
  before: OpenedTask,
  changes: Changes,
  now: Date,
): OpenedTask {
  const given = Object.keys(changes)
  const isGuests = !is_member && isWritten(placedTasks, given)
  const task = {
    ...before,
    ...changes,
    written_by: isGuests ? [...new Set([...before.written_by, user_id])] : before.written_by,
    hidden: before.hidden.filter(field => !given.includes(field)),
    revision: before.revision + 1,
    updated_at: now.toISOString(),
  }
  tx.save(taskSave, {
    workspace_id: task.workspace_id,
    task_id: task.task_id,
    title: task.title,
    description: task.description,
    section: task.section,
    business_id: task.business_id,
    goal_id: task.goal_id,
    assignee_user_id: task.assignee_user_id,
    due_at: task.due_at,
    priority: task.priority,
    requires_evidence: task.requires_evidence,
    status: task.status,
    terminal_reason: task.terminal_reason,
    completed_at: task.completed_at,
    canceled_at: task.canceled_at,
    now,
    revision: before.revision,
    ended_by: given.includes('terminal_reason') ? user_id : null,
    written_by: task.written_by.length > 0 ? task.written_by : null,
  })
  return task
}

const tasksInsert = write(
  'tasks_insert',
  `insert into tasks (workspace_id, id, room_id, business_id, goal_id, title, description, section, kind, priority,
     assignee_user_id, requires_evidence, due_at, created_by, created_at, updated_at)
   select :workspace_id, n.task_id, :room_id, n.business_id, n.goal_id, n.title, n.description, n.section, n.kind, n.priority,
     n.assignee_user_id, n.requires_evidence, n.due_at, :created_by, :now, :now
   from jsonb_to_recordset(:tasks::jsonb) as n (task_id text, business_id text, goal_id text, title text, description text,
     section text, kind text, priority text, assignee_user_id uuid, requires_evidence boolean, due_at timestamptz)`,
)

const taskSave = updateRevision(
  'task_save',
  `update tasks set title = :title, description = :description, section = :section, business_id = :business_id, goal_id = :goal_id, assignee_user_id = :assignee_user_id,
     due_at = :due_at, priority = :priority, requires_evidence = :requires_evidence, status = :status, terminal_reason = :terminal_reason, completed_at = :completed_at,
     canceled_at = :canceled_at, revision = revision + 1, updated_at = :now, ended_by = coalesce(:ended_by, ended_by), written_by = :written_by,
     enders_unknown_until = case when terminal_reason is not null and ended_by is null then :now else enders_unknown_until end
   where workspace_id = :workspace_id and id = :task_id and revision = :revision`,
)
