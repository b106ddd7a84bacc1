import { feedOf, type Actor, type EventDraft } from '@wbs/contract/events'
import { newUnorderedId } from '@wbs/contract/ids'
import { currentPeriodSql, positionBeforeSql } from '../../database/partitions/history-period.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** What the events of one transaction have in common. */
export interface EventContext {
  workspace_id: string
  /** The command or job that caused them. */
  cause_id: string
  actor: Actor
  now: Date
}

/**
 * Inserts events. Call it last in a transaction: it locks the feed's counter, so that positions are in the order of
 * commits.
 */
export async function recordEvents(
  tx: Transaction,
  { workspace_id, cause_id, actor, now }: EventContext,
  events: readonly EventDraft[],
): Promise<void> {
  if (events.length === 0) return
  await tx.run(appendEvents, {
    workspace_id,
    command_id: cause_id,
    occurred_at: now.toISOString(),
    actor: JSON.stringify(actor),
    ...eventValues(events, now),
  })
}

/** The parameters `:events` and `:count` of the statements below. Each event gets its id. */
export const eventValues = (events: readonly EventDraft[], now: Date) => ({
  events: JSON.stringify(
    events.map((event, ordinal) => ({
      ...event,
      id: newUnorderedId('evt', now.getTime()),
      feed: feedOf(event),
      data: event.data ?? {},
      ordinal,
    })),
  ),
  count: events.length,
})

/**
 * SQL: advances the feed's counter by the number of events, and to the positions of the current period if it is not there
 * yet. It may wait for other commits. `after` names `period` and what must run before it.
 */
export const advanceFeedSql = (after: string) => `
  insert into feed_positions as f (workspace_id, last_position)
  select :workspace_id::uuid, ${positionBeforeSql('period.number')} + :count::integer from ${after}
  on conflict (workspace_id) do update
    set last_position = greatest(f.last_position, excluded.last_position - :count::integer) + :count::integer
  returning last_position - :count::integer as before`

/** SQL: inserts events at the positions that `counter` reserved. */
export const insertEventsSql = `
  insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, about, room_id, data, command_id, ordinal)
  select :workspace_id::uuid, counter.before + e.ordinal + 1, e.id, e.type, e.feed, :occurred_at::timestamptz, :actor::jsonb,
    e.subject, e.about, e.room_id, e.data, :command_id::uuid, e.ordinal
  from counter, jsonb_to_recordset(:events::jsonb)
    as e (id text, type text, feed text, subject jsonb, about jsonb, room_id text, data jsonb, ordinal integer)`

const appendEvents = write(
  'events_append',
  `with period as materialized (${currentPeriodSql}), counter as (${advanceFeedSql('period')}) ${insertEventsSql}`,
)
