import { randomUUID } from 'node:crypto'
import type { Actor } from '@wbs/contract/events'
import type { Mutation } from '@wbs/contract/operation'
import type { ReceiptShape } from '@wbs/contract/receipts'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { clientId } from '../identity/user-id.ts'
import type { Caller } from './caller.ts'
import type { Claim } from './claim-key.ts'
import type { Outcome } from './implement.ts'
import { recordEvents } from './record-events.ts'
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
    recordEvents(tx, { workspace_id, cause_id: claim.command_id, actor, now }, outcome.events),
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
