import { eventTypes, type Actor, type EventDraft } from '@wbs/contract/events'
import { newUnorderedId } from '@wbs/contract/ids'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** What events of one transaction have in common. */
export interface EventContext {
  workspace_id: string
  /** The command, or the job, that they follow from. */
  cause_id: string
  actor: Actor
  now: Date
}

/**
 * Writes down what has happened. It locks the feed's counter, so it comes last in a transaction: positions are given out
 * in the order of commits.
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

/** Events as the statements below take them, with ids of their own. */
export const eventsJson = (events: readonly EventDraft[], now: Date): string =>
  JSON.stringify(
    events.map((event, ordinal) => ({
      ...event,
      id: newUnorderedId('evt', now.getTime()),
      feed: eventTypes[event.type],
      data: event.data ?? {},
      ordinal,
    })),
  )

/** What a statement calls its values. */
interface EventValues {
  workspace_id: string
  cause_id: string
  occurred_at: string
  actor: string
  events: string
  count: string
}

/** Moves the feed's counter on by a count of events. It waits for other commits, so it comes after the rest: `behind` that. */
export const advanceFeedSql = ({ workspace_id, count }: EventValues, behind = '') => `
  insert into feed_positions as f (workspace_id, last_position) select ${workspace_id}::uuid, ${count}::integer ${behind}
  on conflict (workspace_id) do update set last_position = f.last_position + excluded.last_position
  returning last_position - ${count}::integer as before`

/** Writes events down behind what `counter` gives. */
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
  `with counter as (${advanceFeedSql(values)}) ${insertEventsSql(values)}`,
)
