import type { Transaction } from '../database/connections/writer.ts'
import { visibleRowLock } from '../rooms/visibility/place-lock-store.ts'
import { viewerValues, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { visibleGoalForChange, type LockedGoal } from './goal-store.ts'
import { placedGoals } from './goal-visibility-store.ts'

/**
 * Locks a Goal that the viewer can see, so that other changes of it wait; its Room is locked shared. Undefined if the viewer
 * cannot see it: visibility is read again under the locks. `seal` identifies the standing that the transaction has checked;
 * for another standing nothing is locked.
 */
export async function lockGoal(
  tx: Transaction,
  viewer: Viewer,
  goal_id: string,
  seal: string,
): Promise<LockedGoal | undefined> {
  const [locked, goal] = await Promise.all([
    tx.run(visibleGoalLock, [...viewerValues(viewer), goal_id, seal]),
    tx.one(visibleGoalForChange, [...viewerValues(viewer), goal_id]),
  ])
  // The Goal may have become visible only after the locking statement, and is then not locked.
  return locked.length > 0 ? goal : undefined
}

const visibleGoalLock = visibleRowLock('goal_visible_lock', placedGoals, 'goal')
