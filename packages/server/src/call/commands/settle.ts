import { feedOf, type Actor, type EventDraft } from '@wbs/contract/events'
import { newUnorderedId } from '@wbs/contract/ids'
import { currentPeriodSql, positionBeforeSql } from '../../database/partitions/history-period.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { randomUUID } from 'node:crypto'
import type { Mutation } from '@wbs/contract/operation'
import type { ReceiptShape } from '@wbs/contract/receipts'
import type { Jobs } from '../../jobs/jobs.ts'
import { actorOf, type Caller } from '../authority/caller.ts'
import type { Claim } from './claim-key.ts'
import type { Outcome } from '../implement.ts'
import { sendJobs } from './send-jobs.ts'

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
const eventValues = (events: readonly EventDraft[], now: Date) => ({
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
const advanceFeedSql = (after: string) => `
  insert into feed_positions as f (workspace_id, last_position)
  select :workspace_id::uuid, ${positionBeforeSql('period.number')} + :count::integer from ${after}
  on conflict (workspace_id) do update
    set last_position = greatest(f.last_position, excluded.last_position - :count::integer) + :count::integer
  returning last_position - :count::integer as before`

/** SQL: inserts events at the positions that `counter` reserved. */
const insertEventsSql = `
  insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, about, room_id, data, command_id, ordinal)
  select :workspace_id::uuid, counter.before + e.ordinal + 1, e.id, e.type, e.feed, :occurred_at::timestamptz, :actor::jsonb,
    e.subject, e.about, e.room_id, e.data, :command_id::uuid, e.ordinal
  from counter, jsonb_to_recordset(:events::jsonb)
    as e (id text, type text, feed text, subject jsonb, about jsonb, room_id text, data jsonb, ordinal integer)`

const appendEvents = write(
  'events_append',
  `with period as materialized (${currentPeriodSql}), counter as (${advanceFeedSql('period')}) ${insertEventsSql}`,
)

/**
 * Completes a mutation in its own transaction: inserts its jobs, its command with the answer, its receipt and its
 * events. Gives the answer without the envelope, as it is stored. The last statement goes out together with COMMIT, so
 * that the feed's counter is locked for as short as possible.
 */
export async function settle(
  tx: Transaction,
  jobs: Pick<Jobs, 'send'>,
  claim: Claim,
  caller: Caller,
  outcome: Outcome,
  workspace_id: string,
  now: Date,
): Promise<object> {
  if (!outcome.resource || !outcome.events)
    throw new Error(`${claim.operation.name} returned no resource or no events.`)
  const actor = actorOf(caller)
  const receipt = {
    receipt_id: randomUUID(),
    command_id: claim.command_id,
    workspace_id,
    occurred_at: now.toISOString(),
    actor,
    resource: outcome.resource,
    changed: outcome.changed ?? [],
  }
  const answer = {
    ...outcome.result,
    ...shownReceipt(claim.operation.receipt, claim.operation.name, receipt),
  }
  if (outcome.jobs) await sendJobs(tx, jobs, outcome.jobs, { request_id: claim.request_id })
  const settled = {
    ...claim,
    ...receipt,
    actor: JSON.stringify(actor),
    resource_type: outcome.resource.type,
    resource_id: outcome.resource.id,
    operation: claim.operation.name,
    is_for_ever: claim.operation.key_life === 'for_ever',
    status: statusOf(claim.operation, outcome),
    answer: storedAnswer(answer, claim.operation.secrets),
  }
  const { events } = outcome
  if (events.length === 0) tx.save(settleQuietly, settled)
  else tx.save(settleWithEvents, { ...settled, ...eventValues(events, now) })
  return answer
}

/** The answer as it is stored: without secrets. */
function storedAnswer(answer: object, secrets: readonly string[] | undefined): string {
  // A replacer takes several times as long, and few operations have secrets.
  if (!secrets) return JSON.stringify(answer)
  return JSON.stringify(answer, (key, value: unknown) => (secrets.includes(key) ? null : value))
}

export const statusOf = ({ status, status_if_found }: Mutation, outcome: Outcome): number =>
  (outcome.found && status_if_found) || status

function shownReceipt(shape: ReceiptShape | undefined, operation: string, receipt: object): object {
  if (!shape) return {}
  return { [shape.key]: { ...receipt, ...Object.fromEntries(shape.names.map(name => [name, operation])) } }
}

// A key is unique within a period by the primary key, and over all periods by the lock of its claim. The statement looks
// again: if another command has the key after all, the null command_id makes the change fail. An expired key is free; its
// row is in an earlier period, or is replaced.
const commandAndReceipt = `period as materialized (${currentPeriodSql}
  ), command as (
    insert into commands as c (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, expires_at,
      status, answer, receipt_workspace_id, period)
    select :scope_id, :principal, :idempotency_key, case when not exists (
        select from commands other
        where other.scope_id = :scope_id and other.principal = :principal and other.idempotency_key = :idempotency_key
          and (other.expires_at is null or other.expires_at > now())
      ) then :command_id::uuid end, :operation, :fingerprint, :request_id,
      case when :is_for_ever::boolean then null else now() + interval '30 days' end, :status::smallint, :answer,
      :workspace_id::uuid, case when :is_for_ever::boolean then 0 else period.number end
    from period
    on conflict (scope_id, principal, idempotency_key, period) do update
      set command_id = excluded.command_id, operation = excluded.operation,
        fingerprint = excluded.fingerprint, request_id = excluded.request_id, created_at = now(), expires_at = excluded.expires_at,
        status = excluded.status, answer = excluded.answer, receipt_workspace_id = excluded.receipt_workspace_id
    returning period
  ), receipt as (
    insert into receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, changed, occurred_at, period)
    select :workspace_id::uuid, :receipt_id, :command_id::uuid, :operation, :actor::jsonb, :resource_type, :resource_id, :changed,
      :occurred_at::timestamptz, command.period from command
    returning 1
  )`

const settleWithEvents = write(
  'change_settle',
  `with ${commandAndReceipt}, counter as (${advanceFeedSql('period cross join receipt')}) ${insertEventsSql}`,
)

const settleQuietly = write('change_settle_quietly', `with ${commandAndReceipt} select from receipt`)
