import { createHash } from 'node:crypto'
import type { Actor, EventDraft } from '@wbs/contract/events'
import { lockExclusive } from '../database/locks.ts'
import { read } from '../database/statement.ts'
import type { Transaction, WriterPool } from '../database/connections/writer.ts'
import type { JobCause, JobDraft, JobIdentity } from '../jobs/job-kinds.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { recordEvents } from './commands/settle.ts'
import { sendJobs } from './commands/send-jobs.ts'

/** The events of a system change, and jobs to run after its commit. */
export interface SystemOutcome {
  events: readonly EventDraft[]
  jobs: readonly JobDraft[]
}

/**
 * A change that the service itself makes in a Workspace, in a job: one transaction with its events and further jobs. A job
 * that runs again finds the events that it recorded and changes nothing, so `work` must return events whenever it changes
 * anything, or find by itself that there is nothing left to change.
 */
export type SystemChange = (
  workspace_id: string,
  job: JobIdentity,
  work: (tx: Transaction) => Promise<readonly EventDraft[] | SystemOutcome>,
) => Promise<void>

/** Events of some Rooms, ordered by Room id, and whether there may be more. */
export interface RoomBatch {
  events: readonly (EventDraft & { room_id: string })[]
  has_more: boolean
}

/**
 * A system change of many Rooms, in batches of one transaction each, so that nobody waits for all of them. `work` gets
 * the Room to continue after. A job that runs again, or twice at once, continues after the last committed batch.
 */
export type SystemChangeOfRooms = (
  workspace_id: string,
  job: JobIdentity,
  work: (tx: Transaction, behind: string) => Promise<RoomBatch>,
) => Promise<void>

const systemActor: Actor = { type: 'system', user_id: null, name: null, via: null }

export const createSystemChange =
  (writers: Pick<WriterPool, 'transaction'>, now: () => Date, jobs: Pick<Jobs, 'send'>): SystemChange =>
  (workspace_id, { id: cause_id, cause }, work) =>
    writers.transaction({ workspace_id, user_id: null }, async tx => {
      // Two attempts at once would otherwise not see each other's events.
      const [, recorded] = await Promise.all([
        lockExclusive(tx, workspace_id, [['cause', cause_id]]),
        tx.one(eventOfCause, { workspace_id, cause_id }),
      ])
      if (recorded) return
      const outcome = await work(tx)
      const { events, jobs: further } = 'events' in outcome ? outcome : { events: outcome, jobs: [] }
      await sendJobs(tx, jobs, further, onlyRequest(cause))
      await recordEvents(tx, { workspace_id, cause_id, actor: systemActor, now: now() }, events)
    })

/** The trace goes on with the span of this job, not with that of the request. */
const onlyRequest = ({ request_id }: JobCause = {}): JobCause =>
  request_id === undefined ? {} : { request_id }

export const createSystemChangeOfRooms =
  (writers: Pick<WriterPool, 'transaction'>, now: () => Date): SystemChangeOfRooms =>
  async (workspace_id, { id }, work) => {
    let [cause_id, behind] = [id, '']
    for (;;) {
      const { last, has_more } = await writers.transaction({ workspace_id, user_id: null }, async tx => {
        // An attempt that timed out may still be running when the next one begins.
        await lockExclusive(tx, workspace_id, [['cause', cause_id]])
        const done = await tx.one(lastRoomOfCause, { workspace_id, cause_id })
        if (done?.room_id) return { last: done.room_id, has_more: true }
        const { events, has_more } = await work(tx, behind)
        await recordEvents(tx, { workspace_id, cause_id, actor: systemActor, now: now() }, events)
        return { last: events.at(-1)?.room_id, has_more }
      })
      if (last === undefined || !has_more) return
      if (last <= behind) throw new Error('A batch does not continue after the one before it.')
      cause_id = causeBehind(id, last)
      behind = last
    }
  }

/** The cause id of the batch after a Room. It depends on the job and the Room only, so that every attempt computes the same. */
function causeBehind(job_id: string, room_id: string): string {
  const digits = createHash('sha256').update(`${job_id} ${room_id}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

const eventOfCause = read<object>(
  'event_of_cause',
  'select from events where workspace_id = :workspace_id and command_id = :cause_id limit 1',
)

const lastRoomOfCause = read<{ room_id: string | null }>(
  'last_room_of_cause',
  'select max(room_id) as room_id from events where workspace_id = :workspace_id and command_id = :cause_id',
)
