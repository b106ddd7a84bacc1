import type { Mutation } from '@wbs/contract/operation'
import { isLockTimeout } from '../database/faults.ts'
import { read, write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import { Problem } from './problem.ts'

/** An Idempotency-Key as it is used now: whose, for what, by which request. */
export interface Claim {
  /** The Workspace, or the user where there is none. */
  scope_id: string
  principal: string
  idempotency_key: string
  command_id: string
  operation: Mutation
  fingerprint: Buffer
  request_id: string
}

/** The command that has the key. */
export interface EarlierCommand {
  command_id: string
  fingerprint: Buffer
  request_id: string
  status: number
  answer: string
  /** The Workspace in which its receipt is kept. */
  receipt_workspace_id: string
}

/**
 * Claims the key for this transaction: null if it is free, else the command that has it. The claim is a row of the
 * mutation's own transaction, so a crash leaves nothing behind; a duplicate waits on it until the first one ends,
 * and gets idempotency_in_progress if that takes longer than the lock timeout.
 */
export async function claimKey(tx: Transaction, claim: Claim): Promise<EarlierCommand | null> {
  try {
    const claimed = await tx.run(claimCommand, [
      claim.scope_id,
      claim.principal,
      claim.idempotency_key,
      claim.command_id,
      claim.operation.name,
      claim.fingerprint,
      claim.request_id,
      claim.operation.key_life === 'for_ever',
    ])
    if (claimed.length > 0) return null
    const earlier = await tx.one(commandByKey, [claim.scope_id, claim.principal, claim.idempotency_key])
    if (!earlier) throw inProgress()
    return earlier
  } catch (error) {
    if (isLockTimeout(error)) throw inProgress()
    throw error
  }
}

export const inProgress = () =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running; try again.',
    {},
    { 'retry-after': '1' },
  )

// A key whose life is over is free again, though nobody has swept it away yet. The lock keeps nobody out: it shows to all
// nodes that the command is under way (command-store.ts), which its row does not before the commit.
const claimCommand = write<{ command_id: string }>(
  'command_claim',
  `with held as materialized (select pg_advisory_xact_lock_shared(command_lock($1, $2, $3)))
   insert into commands as c (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, expires_at)
   select $1::uuid, $2::text, $3::text, $4::uuid, $5::text, $6::bytea, $7::text, case when $8::boolean then null else now() + interval '30 days' end from held
   on conflict (scope_id, principal, idempotency_key) do update
     set command_id = excluded.command_id, operation = excluded.operation, fingerprint = excluded.fingerprint,
         request_id = excluded.request_id, status = null, answer = null, created_at = now(), expires_at = excluded.expires_at
     where c.expires_at <= now()
   returning command_id`,
)

const commandByKey = read<EarlierCommand>(
  'command_by_key',
  `select command_id, fingerprint, request_id, status, answer, receipt_workspace_id from commands
   where scope_id = $1 and principal = $2 and idempotency_key = $3`,
)
