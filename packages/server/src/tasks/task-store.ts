import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { Priority, TaskKind, TaskStatus } from '@wbs/contract/tasks/task-schema'
import { jsonTimeSql } from '../database/database-time.ts'
import { read, type Reader } from '../database/statement.ts'
import { fileLevelSql } from '../files/file-visibility-store.ts'
import {
  hiddenFieldsSql,
  isMaskedSql,
  placeLevelRowSql,
  placeStateSql,
  seesPersonSql,
  type PlaceState,
} from '../rooms/visibility/place-visibility-store.ts'
import { isMemberSql, asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import type { Person } from './task-named-store.ts'
import { placedTasks } from './task-visibility-store.ts'

/** A File that was added to a Task as evidence. */
export interface EvidenceRow {
  file_id: Id<'fil'>
  /** Null if the viewer cannot open the File. */
  name: string | null
  added_by: string
  added_at: string
}

/** A Task as a viewer sees it. */
export interface TaskRow extends PlaceState {
  workspace_id: string
  task_id: Id<'tsk'>
  room_id: Id<'rom'> | null
  business_id: Id<'biz'> | null
  goal_id: Id<'gol'> | null
  title: string
  description: string | null
  section: string | null
  kind: TaskKind
  status: TaskStatus
  priority: Priority
  assignee_user_id: string | null
  requires_evidence: boolean
  /** In the order in which it was added, without that of people whom the viewer cannot see. */
  evidence: EvidenceRow[]
  due_at: string | null
  terminal_reason: string | null
  completed_at: string | null
  canceled_at: string | null
  created_by: string
  revision: number
  created_at: string
  updated_at: string
  /** The guest who gave the terminal_reason. */
  ended_by_guest: Person | null
  /** The guests who wrote in it. */
  written_by: string[]
  /** The fields of the answer that the Room hides from the viewer, as the rule of Tasks says. */
  hidden: string[]
  /** The viewer's level in the Room; without a Room, edit. */
  access_level: AccessLevel
}

declare const opened: unique symbol

/** A Task that was opened for a change: it is locked, and was read under that lock. Only task-access.ts returns it. */
export type OpenedTask = TaskRow & { readonly [opened]: true }

/** A Task that the viewer can see. */
export const taskById = (reader: Reader, viewer: Viewer, task_id: string): Promise<TaskRow | undefined> =>
  reader.one(visibleTask, { ...asViewer(viewer), task_id })

/** SQL: the name of the File `f` if the viewer can open it, else null. */
export const openableNameSql = `case when ${fileLevelSql('f')} is not null then f.name end`

/** SQL: a File by its id, as the row `f`, for a `cross join lateral`. `offset 0` has it read by its key, and not in a join of all Files. */
export const fileByIdSql = (id: string) =>
  `(select one.* from files one where one.workspace_id = :workspace_id and one.id = ${id} offset 0) f`

// Without `offset 0`, the name is computed again where it is compared: 1.29 ms of the processor instead of 1.09 for three Tasks.
const evidenceSql = (access_level: string) => `coalesce((
  select jsonb_agg(jsonb_build_object('file_id', e.file_id, 'name', shown.name, 'added_by', e.added_by,
    'added_at', ${jsonTimeSql('e.added_at')}) order by e.added_at, e.file_id, e.added_by)
  from task_evidence e cross join lateral ${fileByIdSql('e.file_id')}
  cross join lateral (select ${openableNameSql} as name offset 0) shown
  where e.workspace_id = :workspace_id and e.task_id = t.id and ${seesPersonSql('t', access_level, 'e.added_by')}
    and (shown.name is not null or not ${isMaskedSql('t', access_level)})
), '[]')`

/** SQL: the columns of a TaskRow from the row `t`, for the viewer. */
export const taskColumnsSql = (access_level: string) => `
  t.workspace_id, t.id as task_id, t.room_id, t.business_id, t.goal_id, t.title, t.description, t.section, t.kind, t.status,
  t.priority, t.assignee_user_id, t.requires_evidence, t.due_at, t.terminal_reason, t.completed_at, t.canceled_at, t.created_by,
  t.revision, t.created_at, t.updated_at, coalesce(t.written_by, '{}') as written_by, ${hiddenFieldsSql('t', access_level, placedTasks)} as hidden,
  (select jsonb_build_object('user_id', u.id, 'name', u.name) from users u
   where u.id = t.ended_by and not ${isMemberSql('t.ended_by')}) as ended_by_guest, ${access_level} as access_level, ${placeStateSql('t')},
  ${evidenceSql(access_level)} as evidence`

const visibleTask = read<TaskRow>(
  'task_visible',
  `select ${taskColumnsSql('seen.access_level')}
   from tasks t cross join lateral ${placeLevelRowSql('t', placedTasks)} as seen (access_level)
   where t.workspace_id = :workspace_id and t.id = :task_id and seen.access_level is not null`,
)
