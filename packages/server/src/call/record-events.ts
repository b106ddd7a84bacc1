import { eventTypes, type Actor, type EventDraft } from '@wbs/contract/events'
import { newUnorderedId } from '@wbs/contract/ids'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'

/** What events of one transaction have in common. */
export interface Occasion {
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
  { workspace_id, cause_id, actor, now }: Occasion,
  events: readonly EventDraft[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event, ordinal) => ({
    ...event,
    id: newUnorderedId('evt', now.getTime()),
    feed: eventTypes[event.type].feed,
    data: event.data ?? {},
    ordinal,
  }))
  await tx.run(appendEvents, [
    workspace_id,
    cause_id,
    now.toISOString(),
    JSON.stringify(actor),
    JSON.stringify(rows),
    rows.length,
  ])
}

const appendEvents = write(
  'events_append',
  `with counter as (
     insert into feed_positions as f (workspace_id, last_position) values ($1, $6)
     on conflict (workspace_id) do update set last_position = f.last_position + $6
     returning last_position - $6 as before
   )
   insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, about, room_id, data, command_id, ordinal)
   select $1, counter.before + e.ordinal + 1, e.id, e.type, e.feed, $3, $4, e.subject, e.about, e.room_id, e.data, $2, e.ordinal
   from counter, jsonb_to_recordset($5::jsonb)
     as e (id text, type text, feed text, subject jsonb, about jsonb, room_id text, data jsonb, ordinal integer)`,
)
