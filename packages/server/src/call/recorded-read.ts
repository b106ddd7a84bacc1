import { randomUUID } from 'node:crypto'
import type { EventDraft } from '@wbs/contract/events'
import { scopesOf, type Query } from '@wbs/contract/operation'
import type { Transaction, WriterPool } from '../database/connections/writer.ts'
import { actorOf, type Caller } from './authority/caller.ts'
import { lockStanding, requireScopes, type GuestStanding, type Standing } from './authority/standing.ts'
import { recordEvents } from './commands/settle.ts'

/** What the caller of a query that is recorded may do, under the locks of their authority. */
export interface RecordedReadContext {
  caller: Caller
  standing: Standing | GuestStanding
  tx: Transaction
}

/**
 * Records events of a query that others must be able to see, such as the reading of somebody's app. Call it when the result
 * is there and before it is answered: the standing of the caller is judged again under locks, `work` judges the rest, and what
 * either of them throws is answered instead of the result.
 */
export type RecordRead = (
  operation: Query,
  caller: Caller,
  workspace_id: string,
  work: (context: RecordedReadContext) => Promise<readonly EventDraft[]>,
) => Promise<void>

export const createRecordRead =
  (writers: Pick<WriterPool, 'transaction'>, now: () => Date): RecordRead =>
  (operation, caller, workspace_id, work) =>
    writers.transaction({ workspace_id, user_id: caller.user_id }, async tx => {
      const standing = await lockStanding(tx, caller, workspace_id, operation)
      requireScopes(standing, scopesOf(operation))
      const events = await work({ caller, standing, tx })
      const cause_id = randomUUID()
      await recordEvents(tx, { workspace_id, cause_id, actor: actorOf(caller), now: now() }, events)
    })
