import type { Transaction } from '../database/connections/writer.ts'
import { lockVisibleRow, visibleRowLock } from '../rooms/visibility/place-lock-store.ts'
import type { Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { visibleGoalForChange, type LockedGoal } from './goal-store.ts'
import { placedGoals } from './goal-visibility-store.ts'

/**
 * Locks a Goal that the viewer can see, after its Room, and reads it under the lock. Undefined if the viewer cannot see it.
 * `seal` identifies the standing that the transaction has checked; for another standing nothing is locked.
 */
export const lockGoal = (
  tx: Transaction,
  viewer: Viewer,
  goal_id: string,
  seal: string,
): Promise<LockedGoal | undefined> =>
  lockVisibleRow(tx, { lock: visibleGoalLock, row: visibleGoalForChange }, viewer, goal_id, seal)

const visibleGoalLock = visibleRowLock('goal_visible_lock', placedGoals, 'goal')
