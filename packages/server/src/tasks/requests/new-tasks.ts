import { taskKinds, type TaskKind } from '@wbs/contract/tasks/task-schema'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { NewTask } from '../task-change-store.ts'
import type { AssignedRequest } from './request-assignees.ts'

/** A request as a Task. `due_at` is for requests that have no time of their own. */
export const newTask = (request: AssignedRequest, due_at: string | null): NewTask => ({
  title: request.title,
  description: request.description,
  section: request.section,
  business_id: null,
  goal_id: null,
  kind: request.kind,
  priority: request.priority,
  assignee_user_id: request.assignee?.user_id ?? null,
  requires_evidence: request.kind === 'evidence_request',
  due_at: request.due_at ?? due_at,
})

/** How many Tasks there are of each kind. */
export const countsByKind = (tasks: readonly { kind: TaskKind }[]): Record<TaskKind, number> =>
  Object.fromEntries(
    taskKinds.map(kind => [kind, tasks.filter(task => task.kind === kind).length]),
  ) as Record<TaskKind, number>

/** One job for each assignee, however many Tasks they have; none for the one who created the list. */
export function mailJobs(
  { workspace_id, room_id, user_id: actor }: { workspace_id: string; room_id: string; user_id: string },
  requests: readonly Pick<AssignedRequest, 'assignee'>[],
): JobDraft[] {
  const byUser = Map.groupBy(requests, ({ assignee }) => assignee?.user_id ?? null)
  return [...byUser].flatMap(([user_id, { length: count }]) =>
    user_id === null || user_id === actor
      ? []
      : [
          {
            kind: 'mail_requests_assigned' as const,
            data: { workspace_id, room_id, user_id, count, sender_user_id: actor },
          },
        ],
  )
}
