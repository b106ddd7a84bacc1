import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { userInWorkspace } from '../rooms/access/access-explanation-store.ts'
import { requireUserOfPlace, type Place } from '../rooms/place-access.ts'
import { viewerOf, type CallerInWorkspace, type CallerOfChange } from '../rooms/room-access.ts'
import { includesRight, rightsOn, type Rights } from './task.ts'
import { lockTask } from './task-lock-store.ts'
import { goalOfTask, personById, seesPeople, type GoalPlace, type Person } from './task-named-store.ts'
import { taskById, type OpenedTask, type TaskRow } from './task-store.ts'

const noSuchTask = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such Task, or you cannot see it.')

/** Whether a caller may read Tasks, where the operation declares another permission. */
const seesTasks = ({ permissions }: CallerInWorkspace['standing']): boolean => permissions.has('tasks:read')

/** A Task that the caller can see. Undefined if they cannot. */
export const visibleTaskById = async (
  context: CallerInWorkspace,
  reader: Reader,
  task_id: string,
): Promise<TaskRow | undefined> =>
  seesTasks(context.standing) ? taskById(reader, viewerOf(context), task_id) : undefined

/** A Task that the caller can see. Throws not_found. */
export async function requireTask(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  task_id: string,
): Promise<TaskRow> {
  const task = await visibleTaskById(context, reader, task_id)
  if (!task) throw noSuchTask(context.refuse)
  return task
}

const lockVisibleTask = async ({ task_id }: { task_id: string }, context: CallerOfChange) =>
  seesTasks(context.standing)
    ? lockTask(context.tx, viewerOf(context), task_id, context.standing.seal)
    : undefined

/** Locks a Task for a change. Throws not_found if the caller cannot see it. */
export async function openTask(
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
  task_id: string,
): Promise<OpenedTask> {
  const task = await lockVisibleTask({ task_id }, context)
  if (!task) throw noSuchTask(context.refuse)
  return task as OpenedTask
}

/** Throws forbidden unless the caller may do this with the Task. */
export function requireRights(
  { caller, refuse }: Pick<CallerInWorkspace, 'caller'> & { refuse: Refuse<'forbidden'> },
  task: TaskRow,
  needed: Rights,
): void {
  if (includesRight(rightsOn(task, caller.user_id), needed)) return
  throw refuse.forbidden(
    needed === 'progress'
      ? 'This requires edit access to the Room, or that you created the Task or it is assigned to you.'
      : 'This requires edit access to the Room, or that you created the Task.',
  )
}

/**
 * The Goal that a Task is to have, if it is to have one. Throws not_found unless the caller can see it, and may read Goals.
 */
export async function requireGoalOfTask(
  context: CallerInWorkspace & { tx: Transaction; refuse: Refuse<'not_found'> },
  goal_id: string,
): Promise<GoalPlace> {
  const goal = await goalOfCaller(context, goal_id)
  if (!goal) throw context.refuse.not_found('There is no such Goal, or you cannot see it.')
  return goal
}

/** The Goal if the caller can see it, and may read Goals. */
export const goalOfCaller = async (
  context: CallerInWorkspace & { tx: Transaction },
  goal_id: string,
): Promise<GoalPlace | undefined> =>
  context.standing.permissions.has('goals:read')
    ? goalOfTask(context.tx, viewerOf(context), goal_id)
    : undefined

/**
 * The user who is to be assigned a Task in the place. Throws validation_error unless they can open the place, may read
 * Tasks and, in a Room that masks guests, can see the people who created the Task and wrote in it.
 */
export async function requireAssignee(
  context: CallerInWorkspace & { tx: Transaction; refuse: Refuse<'validation_error'> },
  place: Place,
  { user_id, people }: { user_id: string; people: readonly string[] },
): Promise<Person> {
  const { tx, standing, refuse } = context
  const [, person] = await Promise.all([
    requireUserOfPlace(context, place, { user_id, field: 'assignee_user_id', scope: 'tasks:read' }),
    personById(tx, user_id),
  ])
  if (place?.participant_visibility === 'managers') {
    const { viewer } = await userInWorkspace(tx, standing.workspace_id, user_id)
    if (!(await seesPeople(tx, viewer, place.room_id, people)))
      throw contradiction(
        'assignee_user_id',
        'The Room hides whoever created the Task, or wrote in it, from this user, so they could not see the Task.',
        refuse,
      )
  }
  return person ?? { user_id, name: null }
}

/** The first reads of requireAssignee, for a prefetch. */
export const readAssignee = ({ tx, standing }: CallerOfChange, user_id: string) =>
  Promise.all([userInWorkspace(tx, standing.workspace_id, user_id), personById(tx, user_id)])

/** Checks before a replay that the caller can still see the Task of the path. Throws not_found. */
async function checkTaskVisible(
  { task_id }: { task_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireTask(context, context.tx, task_id)
}

/** What runs before a handler that begins by opening the Task of its path. */
export const beforeTaskChange = { visible: checkTaskVisible, prefetch: lockVisibleTask }

export const mustRequireEvidence = 'An evidence_request always requires evidence. Omit requires_evidence.'

/** The refusal of a field of the body that contradicts something else. */
export const contradiction = (field: string, detail: string, refuse: Refuse<'validation_error'>) =>
  refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: `/${field}`, code: 'conflict', detail }],
  })
