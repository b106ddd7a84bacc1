import { createHash } from 'node:crypto'
import type { Actor, EventDraft } from '@wbs/contract/events'
import { lockExclusive } from '../database/locks.ts'
import { read } from '../database/statement.ts'
import type { Transaction, WriterPool } from '../database/connections/writer.ts'
import type { JobIdentity } from '../jobs/job-kinds.ts'
import { recordEvents } from './commands/record-events.ts'

/**
 * A change that the service makes in a Workspace by itself, in the course of a job: one transaction, with its events. A
 * job that is done again finds what it has recorded there and changes nothing, so `work` must say what has happened
 * whenever it changes anything.
 */
export type SystemChange = (
  workspace_id: string,
  job: JobIdentity,
  work: (tx: Transaction) => Promise<readonly EventDraft[]>,
) => Promise<void>

/** Events of some Rooms, in the order of the Rooms' ids, and whether there may be more of them behind these. */
export interface RoomBatch {
  events: readonly (EventDraft & { room_id: string })[]
  has_more: boolean
}

/**
 * The same of many Rooms, in batches, so that nobody in the Workspace waits longer than one of them takes: each is a
 * transaction. `work` is told behind which Room it goes on. A job that is done again, or by two at once, goes on behind the
 * last batch that was committed.
 */
export type SystemChangeOfRooms = (
  workspace_id: string,
  job: JobIdentity,
  work: (tx: Transaction, behind: string) => Promise<RoomBatch>,
) => Promise<void>

const systemActor: Actor = { type: 'system', user_id: null, name: null, via: null }

export const createSystemChange =
  (writers: Pick<WriterPool, 'transaction'>, now: () => Date): SystemChange =>
  (workspace_id, { id: cause_id }, work) =>
    writers.transaction({ workspace_id, user_id: null }, async tx => {
      if (await tx.one(eventOfCause, [workspace_id, cause_id])) return
      const events = await work(tx)
      await recordEvents(tx, { workspace_id, cause_id, actor: systemActor, now: now() }, events)
    })

export const createSystemChangeOfRooms =
  (writers: Pick<WriterPool, 'transaction'>, now: () => Date): SystemChangeOfRooms =>
  async (workspace_id, { id }, work) => {
    let [cause_id, behind] = [id, '']
    for (;;) {
      const { last, has_more } = await writers.transaction({ workspace_id, user_id: null }, async tx => {
        // An attempt that was taken for lost may still be under way when the next begins.
        await lockExclusive(tx, workspace_id, [['cause', cause_id]])
        const done = await tx.one(lastRoomOfCause, [workspace_id, cause_id])
        if (done?.room_id) return { last: done.room_id, has_more: true }
        const { events, has_more } = await work(tx, behind)
        await recordEvents(tx, { workspace_id, cause_id, actor: systemActor, now: now() }, events)
        return { last: events.at(-1)?.room_id, has_more }
      })
      if (last === undefined || !has_more) return
      if (last <= behind) throw new Error('A batch does not go on behind the one before.')
      cause_id = causeBehind(id, last)
      behind = last
    }
  }

/** What the events of the batch behind a Room follow from: known from the job and from where it goes on, at every attempt. */
function causeBehind(job_id: string, room_id: string): string {
  const digits = createHash('sha256').update(`${job_id} ${room_id}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

const eventOfCause = read<object>(
  'event_of_cause',
  'select from events where workspace_id = $1 and command_id = $2 limit 1',
)

const lastRoomOfCause = read<{ room_id: string | null }>(
  'last_room_of_cause',
  'select max(room_id) as room_id from events where workspace_id = $1 and command_id = $2',
)
