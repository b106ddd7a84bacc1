import type { EventDraft, EventType, FactsArgument } from '@wbs/contract/events'
import type { Scope } from '@wbs/contract/scopes'
import type { JobDraft } from '../jobs/job-kinds.ts'
import { withoutHidden } from '../rooms/visibility/givers-access.ts'
import type { Person } from './task-named-store.ts'
import type { TaskRow } from './task-store.ts'

/** Who gets an answer: names of Files are shown only to those who may read Files. */
export interface Showing {
  permissions: ReadonlySet<Scope>
}

/** A Task for an answer. The row was read for the viewer. */
export function presentTask(row: TaskRow, standing: Showing) {
  const { task_id, room_id, business_id, goal_id, title, description, section, kind, status, priority } = row
  const { assignee_user_id, requires_evidence, due_at, terminal_reason, completed_at, canceled_at } = row
  const { revision, created_at, updated_at } = row
  const shown = {
    task_id,
    room_id,
    business_id,
    goal_id,
    title,
    description,
    section,
    kind,
    status,
    priority,
    assignee_user_id,
    requires_evidence,
    evidence: namedFor(row.evidence, standing),
    due_at,
    terminal_reason,
    completed_at,
    canceled_at,
    created_by: { type: 'user' as const, id: row.created_by },
    revision,
    created_at,
    updated_at,
  }
  return withoutHidden(shown, row.hidden)
}

/** Files with their names, for those who may read Files; for others without. */
export const namedFor = <Named extends { name: string | null }>(
  files: readonly Named[],
  { permissions }: Showing,
): Named[] => files.map(file => (permissions.has('files:read') ? file : { ...file, name: null }))

/** A stored answer with a Task for a replay. The caller may have lost the permission that the names of Files take. */
export const replayedTask = <Answer extends { data: { evidence: { name: string | null }[] } }>(
  answer: Answer,
  standing: Showing,
): Answer => ({ ...answer, data: { ...answer.data, evidence: namedFor(answer.data.evidence, standing) } })

type TaskEvent = Extract<EventType, `task.${string}`>

/** An event about a Task, and about a person unless that is null. */
export const taskEvent = <Type extends TaskEvent>(
  type: Type,
  { task_id, title, room_id }: Pick<TaskRow, 'task_id' | 'title' | 'room_id'>,
  about: Person | null,
  ...[data]: FactsArgument<Type>
): EventDraft<Type> =>
  ({
    type,
    subject: { type: 'task', id: task_id, name: title },
    ...(room_id !== null && { room_id }),
    ...(about && { about: { ...about, email: null } }),
    ...(data && { data }),
  }) as EventDraft<Type>

/** That a Task was created, about its assignee if it has one. */
export const taskCreated = (
  task: Pick<TaskRow, 'task_id' | 'title' | 'room_id' | 'kind'>,
  assignee: Person | null,
) => taskEvent('task.created', task, assignee, { kind: task.kind })

/** The Task as the resource of a receipt. */
export const taskResource = ({ task_id }: Pick<TaskRow, 'task_id'>) => ({
  type: 'task' as const,
  id: task_id,
})

/** The job that mails the assignee of a Task, unless they assigned it themselves. */
export const assignmentJobs = (
  { workspace_id, task_id, assignee_user_id }: Pick<TaskRow, 'workspace_id' | 'task_id' | 'assignee_user_id'>,
  actor: { user_id: string },
): JobDraft[] =>
  assignee_user_id === null || assignee_user_id === actor.user_id
    ? []
    : [
        {
          kind: 'mail_task_assigned',
          data: { workspace_id, task_id, user_id: assignee_user_id, sender_user_id: actor.user_id },
        },
      ]
