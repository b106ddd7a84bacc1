import type { Actor, EventDraft } from '@wbs/contract/events'
import { read } from '../database/statement.ts'
import type { Transaction, WriterPool } from '../database/writer.ts'
import type { JobIdentity } from '../jobs/job-kinds.ts'
import { recordEvents } from './record-events.ts'

/**
 * A change that the service makes in a Workspace by itself, in the course of a job: one transaction, with its events. A
 * job that is done again finds what it has recorded there and changes nothing, so `work` must say what has happened
 * whenever it changes anything.
 */
export type OwnChange = (
  workspace_id: string,
  job: JobIdentity,
  work: (tx: Transaction) => Promise<readonly EventDraft[]>,
) => Promise<void>

const theService: Actor = { type: 'system', user_id: null, name: null, via: null }

export const createOwnChange =
  (writers: Pick<WriterPool, 'transaction'>, now: () => Date): OwnChange =>
  (workspace_id, { id: cause_id }, work) =>
    writers.transaction({ workspace_id, user_id: null }, async tx => {
      if (await tx.one(eventOfCause, [workspace_id, cause_id])) return
      const events = await work(tx)
      await recordEvents(tx, { workspace_id, cause_id, actor: theService, now: now() }, events)
    })

const eventOfCause = read<object>(
  'event_of_cause',
  'select from events where workspace_id = $1 and command_id = $2 limit 1',
)
