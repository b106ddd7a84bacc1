import type { Transaction } from '../database/connections/writer.ts'
import { lockVisibleRow, visibleRowLock } from '../rooms/visibility/place-lock-store.ts'
import { asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
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
  lockVisibleRow(tx, visibleGoalLock, { viewer, id: goal_id, seal }, () =>
    tx.one(visibleGoalForChange, { ...asViewer(viewer), goal_id }),
  )

const visibleGoalLock = visibleRowLock('goal_visible_lock', placedGoals, 'goal')
