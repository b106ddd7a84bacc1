import type { Transaction } from '../database/connections/writer.ts'
import { lockVisibleRow, visibleRowLock } from '../rooms/visibility/place-lock-store.ts'
import type { Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { taskById, type TaskRow } from './task-store.ts'
import { placedTasks } from './task-visibility-store.ts'

/**
 * Locks a Task that the viewer can see, after its Room, and reads it under the lock. Undefined if the viewer cannot see it.
 * `seal` identifies the standing that the transaction has checked; for another standing nothing is locked.
 */
export const lockTask = (
  tx: Transaction,
  viewer: Viewer,
  task_id: string,
  seal: string,
): Promise<TaskRow | undefined> =>
  lockVisibleRow(tx, visibleTaskLock, { viewer, id: task_id, seal }, () => taskById(tx, viewer, task_id))

const visibleTaskLock = visibleRowLock('task_visible_lock', placedTasks, 'task')
