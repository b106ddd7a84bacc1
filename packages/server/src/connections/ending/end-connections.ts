import type { SystemChangeOfRooms } from '../../call/system-change.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { lockRoomState } from '../../rooms/room-lock-store.ts'
import { cancelOpenApprovals } from '../approvals/approval-change-store.ts'
import { canceledByStop } from '../approvals/approval-view.ts'
import { saveStatusOfService } from '../connection-change-store.ts'
import { connectionAsSubject } from '../connection-view.ts'
import { endedConnections, roomOfEndedConnections, type SharerInRooms } from './ended-connection-store.ts'

/**
 * Records that the connections of a user have ended with their membership or their access to the Room: they are stopped for good,
 * and their open approvals are canceled. Nobody could use them any more before. Each Room is changed in a transaction of its own.
 */
export const endConnections =
  ({ changeRooms }: { changeRooms: SystemChangeOfRooms }): JobHandlers['end_connections'] =>
  (sharer, job) =>
    changeRooms(sharer.workspace_id, job, async (tx, behind) => {
      const now = await databaseTime(tx)
      for (let after = behind; ;) {
        const next = await roomOfEndedConnections(tx, sharer, after)
        if (!next) return { events: [], has_more: false }
        await lockRoomState(tx, sharer.workspace_id, next.room_id)
        const events = await stopEnded(tx, sharer, next.room_id, now)
        // Somebody else may have stopped them while the lock was waited for.
        if (events.length > 0) return { events, has_more: true }
        after = next.room_id
      }
    })

/** Stops the connections that have ended in a Room, which is locked alone. */
async function stopEnded(tx: Transaction, sharer: SharerInRooms, room_id: string, now: Date) {
  const events = []
  for (const connection of await endedConnections(tx, sharer, room_id)) {
    const stopped = saveStatusOfService(tx, connection, 'stopped', now)
    const canceled = await cancelOpenApprovals(tx, stopped, now)
    events.push(
      { type: 'connection.stopped' as const, ...connectionAsSubject(stopped) },
      ...canceledByStop(canceled),
    )
  }
  return events
}
