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
  await tx.run(appendEvents, [
    workspace_id,
    cause_id,
    now.toISOString(),
    JSON.stringify(actor),
    eventsJson(events, now),
    events.length,
  ])
}

/** Events as the parameter of the statements below, with ids. */
export const eventsJson = (events: readonly EventDraft[], now: Date): string =>
  JSON.stringify(
    events.map((event, ordinal) => ({
      ...event,
      id: newUnorderedId('evt', now.getTime()),
      feed: feedOf(event),
      data: event.data ?? {},
      ordinal,
    })),
  )

/** The SQL expressions of a statement's values. */
interface EventValues {
  workspace_id: string
  cause_id: string
  occurred_at: string
  actor: string
  events: string
  count: string
}

/**
 * SQL: advances the feed's counter by the number of events, and to the positions of the current period if it is not there
 * yet. It may wait for other commits. `behind` names `period` and what must run before it.
 */
export const advanceFeedSql = ({ workspace_id, count }: EventValues, behind: string) => `
  insert into feed_positions as f (workspace_id, last_position)
  select ${workspace_id}::uuid, ${positionBeforeSql('period.number')} + ${count}::integer from ${behind}
  on conflict (workspace_id) do update
    set last_position = greatest(f.last_position, excluded.last_position - ${count}::integer) + ${count}::integer
  returning last_position - ${count}::integer as before`

/** SQL: inserts events at the positions that `counter` reserved. */
export const insertEventsSql = ({ workspace_id, cause_id, occurred_at, actor, events }: EventValues) => `
  insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, about, room_id, data, command_id, ordinal)
  select ${workspace_id}, counter.before + e.ordinal + 1, e.id, e.type, e.feed, ${occurred_at}, ${actor}, e.subject, e.about,
    e.room_id, e.data, ${cause_id}, e.ordinal
  from counter, jsonb_to_recordset(${events}::jsonb)
    as e (id text, type text, feed text, subject jsonb, about jsonb, room_id text, data jsonb, ordinal integer)`

const values = {
  workspace_id: '$1',
  cause_id: '$2::uuid',
  occurred_at: '$3::timestamptz',
  actor: '$4::jsonb',
  events: '$5',
  count: '$6',
}
const appendEvents = write(
  'events_append',
  `with period as materialized (${currentPeriodSql}), counter as (${advanceFeedSql(values, 'period')}) ${insertEventsSql(values)}`,
)
