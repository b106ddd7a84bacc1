import type { InputOf } from '@wbs/contract/operation'
import { updateTask } from '@wbs/contract/tasks/tasks'
import { taskMachine } from '@wbs/contract/tasks/task-schema'
import { implement, type MutationContext } from '../call/implement.ts'
import type { Refuse } from '../call/problem.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { withoutHidden } from '../rooms/visibility/givers-access.ts'
import { placeOfRow, requireActivePlace, requireBusinessOfPlace } from '../rooms/place-access.ts'
import { viewerOf, type CallerOfChange } from '../rooms/room-access.ts'
import { changedFields, evidenceRule, moveTo, rightsToUpdate } from './task.ts'
import {
  beforeTaskChange,
  contradiction,
  mustRequireEvidence,
  openTask,
  readAssignee,
  requireAssignee,
  requireGoalOfTask,
  requireRights,
} from './task-access.ts'
import { saveTask } from './task-change-store.ts'
import type { GoalPlace, Person } from './task-named-store.ts'
import type { TaskRow } from './task-store.ts'
import { assignmentJobs, presentTask, replayedTask, taskEvent, taskResource } from './task-view.ts'

type Input = InputOf<typeof updateTask>
type Context = MutationContext<typeof updateTask>
type Changes = Omit<Input, 'task_id' | 'expected_revision'>

export const handleUpdateTask = implement(
  updateTask,
  async function updateTask({ task_id, expected_revision, ...changes }, context) {
    const { caller, tx, standing, now, refuse } = context
    const task = await openTask(context, task_id)
    // Whoever sends back what they read changes nothing, and nobody learns what is hidden by naming it.
    const known = withoutHidden(task, task.hidden)
    // They are read in one round trip; what cannot be seen is refused first.
    const [assigned, named] = await Promise.allSettled([
      requireNewAssignee(known, changes, context),
      requireNamed(known, changes, context),
    ])
    if (named.status === 'rejected') throw named.reason
    requireRights(context, task, rightsToUpdate(Object.keys(changes)))
    if (assigned.status === 'rejected') throw assigned.reason
    requireGoalOfPlace(task, named.value, refuse)
    if (evidenceRule(task.kind, changes.requires_evidence) === undefined)
      throw contradiction('requires_evidence', mustRequireEvidence, refuse)
    requireActivePlace(task, refuse)
    const move = changes.status === undefined ? moveTo.open : moveTo[changes.status]
    const finished = 'A Task that is done or canceled cannot be updated. Reopen it first.'
    requireMove(taskMachine, move, task.status, finished, refuse)
    const changed = changedFields(known, { ...known, ...changes })
    requireRevision(task, expected_revision, changed, refuse)
    const saved =
      changed.length > 0 ? saveTask(tx, viewerOf(context), task, only(changes, changed), now) : task
    return {
      result: { data: presentTask(saved, standing) },
      revision: saved.revision,
      resource: taskResource(saved),
      changed,
      events: eventsOf(saved, changed, assigned.value),
      jobs: assigned.value === null ? [] : assignmentJobs(saved, caller),
    }
  },
  { visible: beforeTaskChange.visible, prefetch: lockAndReadAssignee, replayed: replayedTask },
)

/** Those of the changes that change something. */
const only = (changes: Changes, changed: readonly string[]): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([field]) => changed.includes(field)))

/** The new Goal, or null. Throws not_found unless the caller can see it, and the new Business. */
async function requireNamed(task: TaskRow, { business_id, goal_id }: Changes, context: Context) {
  const [goal] = await Promise.all([
    goal_id && goal_id !== task.goal_id ? requireGoalOfTask(context, goal_id) : null,
    business_id && business_id !== task.business_id
      ? requireBusinessOfPlace(context, business_id)
      : undefined,
  ])
  return goal
}

/** Throws validation_error if the Goal is in another Room than the Task. */
function requireGoalOfPlace(
  { room_id }: TaskRow,
  goal: GoalPlace | null,
  refuse: Refuse<'validation_error'>,
): void {
  if (goal === null || goal.room_id === null || goal.room_id === room_id) return
  const detail = 'The Goal is in another Room than the Task, and a Task cannot change its Room.'
  throw contradiction('goal_id', detail, refuse)
}

/** The new assignee. Null if the Task keeps its assignee, or gets none. */
const requireNewAssignee = async (task: TaskRow, { assignee_user_id }: Changes, context: Context) =>
  assignee_user_id && assignee_user_id !== task.assignee_user_id
    ? requireAssignee(context, placeOfRow(task), {
        user_id: assignee_user_id,
        people: [task.created_by, ...task.written_by],
      })
    : null

function eventsOf(task: TaskRow, changed: string[], assignee: Person | null) {
  const described = assignee ? changed.filter(field => field !== 'assignee_user_id') : changed
  return [
    ...(described.length > 0 ? [taskEvent('task.updated', task, null, { changed: described })] : []),
    ...(assignee ? [taskEvent('task.assigned', task, assignee)] : []),
  ]
}

/** Sends what the handler reads first, if it reads the assignee before anything else. */
function lockAndReadAssignee(input: Input, context: CallerOfChange) {
  const { assignee_user_id } = input
  return Promise.all([
    beforeTaskChange.prefetch(input, context),
    assignee_user_id ? readAssignee(context, assignee_user_id) : undefined,
  ])
}
