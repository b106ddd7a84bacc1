import type { Transaction } from '../database/connections/writer.ts'
import { visibleRowLock } from '../rooms/visibility/place-lock-store.ts'
import { viewerValues, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { taskById, type TaskRow } from './task-store.ts'
import { placedTasks } from './task-visibility-store.ts'

/**
 * Locks a Task that the viewer can see, after its Room, and reads it under the lock. Undefined if the viewer cannot see it.
 * `seal` identifies the standing that the transaction has checked; for another standing nothing is locked.
 */
export async function lockTask(
  tx: Transaction,
  viewer: Viewer,
  task_id: string,
  seal: string,
): Promise<TaskRow | undefined> {
  const [locked, task] = await Promise.all([
    tx.run(visibleTaskLock, [...viewerValues(viewer), task_id, seal]),
    taskById(tx, viewer, task_id),
  ])
  // The Task may have become visible only after the locking statement, and is then not locked.
  return locked.length > 0 ? task : undefined
}

const visibleTaskLock = visibleRowLock('task_visible_lock', placedTasks, 'task')
