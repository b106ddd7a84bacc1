import { randomUUID } from 'node:crypto'
import { eventTypes, type Actor, type EventDraft } from '@wbs/contract/events'
import { newId } from '@wbs/contract/ids'
import type { Mutation } from '@wbs/contract/operation'
import type { ReceiptShape } from '@wbs/contract/receipts'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { clientId } from '../identity/user-id.ts'
import type { Caller } from './caller.ts'
import type { Claim } from './claim-key.ts'
import type { Outcome } from './implement.ts'
import { sendJobs } from './send-jobs.ts'

/**
 * Writes what a mutation leaves behind besides its effect, in its own transaction: jobs, receipt, stored answer, events.
 * Gives the answer without its envelope, as it is stored. The feed's counter is locked last, just before the commit.
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
    throw new Error(`${claim.operation.name} says neither what it changed nor what happened.`)
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
  const stored = JSON.stringify(answer, (key, value: unknown) =>
    claim.operation.secrets?.includes(key) ? null : value,
  )
  if (outcome.jobs) await sendJobs(tx, jobs, outcome.jobs)
  await Promise.all([
    tx.run(insertReceipt, [
      workspace_id,
      receipt.receipt_id,
      claim.command_id,
      claim.operation.name,
      JSON.stringify(actor),
      outcome.resource.type,
      outcome.resource.id,
      receipt.changed,
      receipt.occurred_at,
    ]),
    tx.run(storeAnswer, [
      claim.scope_id,
      claim.principal,
      claim.idempotency_key,
      statusOf(claim.operation, outcome),
      stored,
      workspace_id,
    ]),
    outcome.events.length > 0 && recordEvents(tx, claim, actor, outcome.events, workspace_id, now),
  ])
  return answer
}

export const statusOf = ({ status, status_if_found }: Mutation, outcome: Outcome): number =>
  (outcome.found && status_if_found) || status

function shownReceipt(shape: ReceiptShape | undefined, operation: string, receipt: object): object {
  if (!shape) return {}
  return { [shape.key]: { ...receipt, ...Object.fromEntries(shape.names.map(name => [name, operation])) } }
}

/** Who acts, as receipts and events say it. */
function actorOf(caller: Caller): Actor {
  if (caller.kind === 'key') {
    const via = { kind: 'api_key', name: caller.key_name, client_id: caller.key_id } as const
    return { type: 'person', user_id: caller.user_id, name: null, via }
  }
  const { user_id, name, issuer, client } = caller
  const via =
    client &&
    ({ kind: 'app', name: client.name ?? client.id, client_id: clientId(issuer, client.id) } as const)
  return { type: 'person', user_id, name, via }
}

async function recordEvents(
  tx: Transaction,
  claim: Claim,
  actor: Actor,
  events: readonly EventDraft[],
  workspace_id: string,
  now: Date,
): Promise<void> {
  const rows = events.map((event, ordinal) => ({
    ...event,
    id: newId('evt', now.getTime()),
    feed: eventTypes[event.type].feed,
    data: event.data ?? {},
    ordinal,
  }))
  await tx.run(appendEvents, [
    workspace_id,
    claim.command_id,
    now.toISOString(),
    JSON.stringify(actor),
    JSON.stringify(rows),
    rows.length,
  ])
}

const insertReceipt = write(
  'receipt_insert',
  `insert into receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, changed, occurred_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

const storeAnswer = write(
  'command_answer',
  `update commands set status = $4, answer = $5, receipt_workspace_id = $6
   where scope_id = $1 and principal = $2 and idempotency_key = $3`,
)

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
     as e (id text, type text, feed text, subject jsonb, about jsonb, room_id text, data jsonb, ordinal smallint)`,
)
