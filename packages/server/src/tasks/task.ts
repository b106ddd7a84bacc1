import {
  unfinishedStatuses,
  type Priority,
  type TaskKind,
  type TaskStatus,
} from '@wbs/contract/tasks/task-schema'
import { includes, type AccessLevel } from '@wbs/contract/scopes'

/** What the rules below need of a Task that somebody can see. */
export interface SeenTask {
  /** The level of the one who sees it. */
  access_level: AccessLevel
  created_by: string
  assignee_user_id: string | null
}

/** What somebody who sees a Task may do with it. Each includes the one before. */
export type Rights = 'comment' | 'progress' | 'everything'

const rights: readonly Rights[] = ['comment', 'progress', 'everything']

/**
 * What a user who sees a Task may do with it: everything with edit access or as its creator; as its assignee change its
 * status, complete it and reopen it; comment in any case.
 */
export function rightsOn(task: SeenTask, user_id: string): Rights {
  if (includes(task.access_level, 'edit') || task.created_by === user_id) return 'everything'
  return task.assignee_user_id === user_id ? 'progress' : 'comment'
}

export const includesRight = (held: Rights, needed: Rights): boolean =>
  rights.indexOf(held) >= rights.indexOf(needed)

/** The level in a Room that creating a Task takes. */
export const levelToCreate = (kind: TaskKind): AccessLevel => (kind === 'question' ? 'view' : 'edit')

/** The rights that an update takes. */
export const rightsToUpdate = (fields: readonly string[]): Rights =>
  fields.every(field => field === 'status') ? 'progress' : 'everything'

/** Whether a Task requires evidence. Undefined: an evidence request that is said not to. */
export function evidenceRule(kind: TaskKind, requires_evidence: boolean | undefined): boolean | undefined {
  if (kind !== 'evidence_request') return requires_evidence ?? false
  return requires_evidence === false ? undefined : true
}

/** The move of the state machine that an update of the status makes. */
export const moveTo = { open: 'open', in_progress: 'start', blocked: 'block' } as const satisfies Record<
  (typeof unfinishedStatuses)[number],
  string
>

/** What an update can change. */
export interface EditableTask {
  title: string
  description: string | null
  section: string | null
  business_id: string | null
  goal_id: string | null
  assignee_user_id: string | null
  due_at: string | null
  priority: Priority
  requires_evidence: boolean
  status: TaskStatus
}

const editable = [
  'title',
  'description',
  'section',
  'business_id',
  'goal_id',
  'assignee_user_id',
  'due_at',
  'priority',
  'requires_evidence',
  'status',
] as const satisfies readonly (keyof EditableTask)[]

/** The fields in which two states of a Task differ. */
export const changedFields = (before: EditableTask, after: EditableTask): string[] =>
  editable.filter(field => before[field] !== after[field])
