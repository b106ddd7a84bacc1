import type { Id } from '@wbs/contract/ids'
import type { InputOf } from '@wbs/contract/operation'
import { createTask } from '@wbs/contract/tasks/tasks'
import { implement } from '../call/implement.ts'
import type { Refuse } from '../call/problem.ts'
import { readableBusiness } from '../rooms/businesses/room-business-store.ts'
import { openPlace, requireBusinessOfPlace } from '../rooms/place-access.ts'
import { beforeRoomChange, viewerOf, type CallerOfChange } from '../rooms/room-access.ts'
import { evidenceRule, levelToCreate } from './task.ts'
import {
  contradiction,
  goalOfCaller,
  mustRequireEvidence,
  readAssignee,
  requireAssignee,
  requireGoalOfTask,
} from './task-access.ts'
import { insertTasks } from './task-change-store.ts'
import type { GoalPlace } from './task-named-store.ts'
import { assignmentJobs, presentTask, replayedTask, taskCreated, taskResource } from './task-view.ts'

type Input = InputOf<typeof createTask>

export const handleCreateTask = implement(
  createTask,
  async function createTask(input, context) {
    const { title, description = null, section = null, business_id = null, goal_id = null } = input
    const { assignee_user_id = null, due_at = null, priority = 'none', kind = 'task' } = input
    const { caller, tx, standing, now, refuse } = context
    const requires_evidence = evidenceRule(kind, input.requires_evidence)
    if (requires_evidence === undefined) throw contradiction('requires_evidence', mustRequireEvidence, refuse)
    const [goal] = await Promise.all([
      goal_id === null ? null : requireGoalOfTask(context, goal_id),
      business_id === null ? undefined : requireBusinessOfPlace(context, business_id),
    ])
    const room = await openPlace(context, roomOfTask(input, goal, refuse), levelToCreate(kind))
    const assignee =
      assignee_user_id === null
        ? null
        : await requireAssignee(context, room, { user_id: assignee_user_id, people: [caller.user_id] })
    const given = { title, description, section, business_id, goal_id, kind, priority, assignee_user_id }
    const place = { workspace_id: standing.workspace_id, user_id: caller.user_id, room }
    const [task] = insertTasks(tx, place, [{ ...given, requires_evidence, due_at }], now)
    if (!task) throw new Error('A Task that was inserted is missing.')
    return {
      result: { data: presentTask(task, standing) },
      revision: task.revision,
      resource: taskResource(task),
      events: [taskCreated(task, assignee)],
      jobs: assignmentJobs(task, caller),
    }
  },
  { prefetch: readNamed, replayed: replayedTask },
)

/** The Room of a new Task: that of its Goal, or the one that is named. Throws validation_error if they differ. */
function roomOfTask(
  { room_id = null }: Input,
  goal: GoalPlace | null,
  refuse: Refuse<'validation_error'>,
): Id<'rom'> | null {
  if (goal === null || goal.room_id === null) return room_id
  if (room_id !== null && room_id !== goal.room_id)
    throw contradiction(
      'room_id',
      'A Task has the Room of its Goal, which is in another Room. Omit room_id.',
      refuse,
    )
  return goal.room_id
}

/** Sends what the handler reads first, in the same order. */
function readNamed({ goal_id, business_id, room_id, assignee_user_id }: Input, context: CallerOfChange) {
  return Promise.all([
    goal_id ? goalOfCaller(context, goal_id) : undefined,
    business_id ? readableBusiness(context.tx, viewerOf(context), business_id) : undefined,
    room_id ? beforeRoomChange.prefetch({ room_id }, context) : undefined,
    assignee_user_id ? readAssignee(context, assignee_user_id) : undefined,
  ])
}
