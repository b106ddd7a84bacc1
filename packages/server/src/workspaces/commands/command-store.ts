import type { Actor } from '@wbs/contract/events'
import type { ResourceType } from '@wbs/contract/receipts'
import { jsonTimeSql } from '../../database/database-time.ts'
import { read, type Reader } from '../../database/statement.ts'

export interface CommandRow {
  status: 'in_progress' | 'committed' | 'unknown'
  operation: string | null
  receipt: {
    receipt_id: string
    command_id: string
    workspace_id: string
    occurred_at: string
    actor: Actor
    resource: { type: ResourceType; id: string }
    changed: string[]
  } | null
}

/** The state of the command with an Idempotency-Key of a principal, with its receipt if the caller can read its Workspace. */
export const commandByKey = async (
  reader: Reader,
  scope_id: string,
  principal: string,
  idempotency_key: string,
): Promise<CommandRow> =>
  (await reader.one(commandStatus, { scope_id, principal, idempotency_key })) as CommandRow

// A command in progress holds an advisory lock, whose 64-bit number pg_locks shows in two halves.
const commandStatus = read<CommandRow>(
  'command_status',
  `with command as (select command_lock(:scope_id, :principal, :idempotency_key) as number)
   select case when c.status is not null then 'committed'
               when exists (
                 select from pg_locks l, command
                 where l.locktype = 'advisory' and l.objsubid = 1
                   and l.database = (select oid from pg_database where datname = current_database())
                   and l.classid::bigint = (command.number >> 32) & 4294967295 and l.objid::bigint = command.number & 4294967295
               ) then 'in_progress'
               else 'unknown' end as status,
     c.operation,
     case when r.receipt_id is not null then jsonb_build_object(
       'receipt_id', r.receipt_id, 'command_id', r.command_id, 'workspace_id', r.workspace_id,
       'occurred_at', ${jsonTimeSql('r.occurred_at')}, 'actor', r.actor,
       'resource', jsonb_build_object('type', r.resource_type, 'id', r.resource_id), 'changed', to_jsonb(r.changed)
     ) end as receipt
   from command
   left join commands c on c.scope_id = :scope_id and c.principal = :principal and c.idempotency_key = :idempotency_key
     and (c.expires_at is null or c.expires_at > now())
   left join receipts r on r.workspace_id = c.receipt_workspace_id and r.command_id = c.command_id
     and r.period = c.period`,
)
