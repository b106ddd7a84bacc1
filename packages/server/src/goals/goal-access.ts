import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import { viewerOf, type CallerInWorkspace, type CallerOfChange } from '../rooms/room-access.ts'
import { lockGoal } from './goal-lock-store.ts'
import { goalById, type GoalRow, type LockedGoal, type OpenedGoal } from './goal-store.ts'

const noSuchGoal = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such Goal, or you cannot see it.')

/** Whether a caller may read Goals, where the operation declares another permission. */
const seesGoals = ({ permissions }: Standing | GuestStanding): boolean => permissions.has('goals:read')

/** A Goal that the caller can see. Undefined if they cannot. */
export const visibleGoalById = async (
  context: CallerInWorkspace,
  reader: Reader,
  goal_id: string,
): Promise<GoalRow | undefined> =>
  seesGoals(context.standing) ? goalById(reader, viewerOf(context), goal_id) : undefined

/** A Goal that the caller can see. Throws not_found. */
export async function requireGoal(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  goal_id: string,
): Promise<GoalRow> {
  const goal = await visibleGoalById(context, reader, goal_id)
  if (!goal) throw noSuchGoal(context.refuse)
  return goal
}

/** Locks a Goal that the caller can see. Undefined if they cannot. Pass it to `requireOpened`. */
export const lockVisibleGoal = async (
  context: CallerOfChange,
  goal_id: string,
): Promise<LockedGoal | undefined> =>
  seesGoals(context.standing)
    ? lockGoal(context.tx, viewerOf(context), goal_id, context.standing.seal)
    : undefined

/** The Goal that `lockVisibleGoal` locked. Throws not_found if there is none. */
export function requireLocked(goal: LockedGoal | undefined, refuse: Refuse<'not_found'>): LockedGoal {
  if (!goal) throw noSuchGoal(refuse)
  return goal
}

/** A locked Goal, opened for a change. Throws forbidden if the caller's level in its Room is too low. */
export function requireOpened<Level extends AccessLevel>(
  goal: LockedGoal,
  needed: Level,
  refuse: Refuse<'forbidden'>,
): OpenedGoal<Level> {
  if (!includes(goal.access_level, needed))
    throw refuse.forbidden(
      `This requires the level ${needed} in the Room of the Goal; you have ${goal.access_level}.`,
    )
  return goal as OpenedGoal<Level>
}

/** Checks before a replay that the caller can still see the Goal of the path. Throws not_found. */
export async function checkGoalVisible(
  { goal_id }: { goal_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireGoal(context, context.tx, goal_id)
}
