import type { StorageLimitName } from '../../database/faults.ts'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { CallerInWorkspace } from '../../rooms/room-access.ts'

/** The limits that the service sets: in bytes that are stored or promised by open uploads. Null for none. */
export interface StorageLimits {
  /** Of a Workspace, whose admins may set a lower one. */
  workspace_bytes: number | null
  /** Of what a guest brings into a Workspace. */
  guest_bytes: number | null
}

/** The limit that so many more bytes of the caller would exceed now; null for none. */
export const limitBeyond = async (
  reader: Reader,
  caller: CallerInWorkspace,
  limits: StorageLimits,
  bytes: number,
): Promise<StorageLimitName | null> =>
  (await reader.one(storageBeyond, { ...limitValues(caller, limits), bytes }))?.beyond ?? null

/**
 * Fails the transaction with limit_reached if the content that it added goes beyond a limit. Far from all limits, texts of a
 * Workspace may be added at the same time; an upload promises so much that it always comes alone.
 */
export function requireStorage(
  tx: Transaction,
  caller: CallerInWorkspace,
  limits: StorageLimits,
  added: 'text' | 'upload',
): void {
  const values = limitValues(caller, limits)
  tx.save(storageLock, { ...values, is_upload: added === 'upload' })
  tx.save(storageRequire, values)
}

const limitValues = ({ caller, standing }: CallerInWorkspace, limits: StorageLimits) => ({
  workspace_id: standing.workspace_id,
  user_id: caller.user_id,
  workspace_bytes: limits.workspace_bytes,
  guest_bytes: standing.role === null ? limits.guest_bytes : null,
})

/** SQL: the limit that so many more bytes would exceed. Its parameters are the `limitValues`. */
const beyondSql = (more: string) => `(
  select case
    when total.bytes + ${more} > least(:workspace_bytes::bigint, w.storage_limit_bytes) then 'workspace'
    when own.bytes + ${more} > :guest_bytes::bigint then 'guest'
  end
  from workspaces w cross join lateral (
    select coalesce(sum(u.stored_bytes + u.promised_bytes), 0) as bytes from storage_usage u where u.workspace_id = :workspace_id
  ) total cross join lateral (
    select coalesce(sum(u.stored_bytes + u.promised_bytes), 0) as bytes
    from storage_usage_of_people u where u.workspace_id = :workspace_id and u.user_id = :user_id
  ) own
  where w.id = :workspace_id)`

/** More than all texts that can be under way at once. */
const margin = 1024 ** 3

const storageBeyond = read<{ beyond: StorageLimitName | null }>(
  'storage_beyond',
  `select ${beyondSql(':bytes::bigint')} as beyond`,
)

const storageLock = write(
  'storage_lock',
  `with way as materialized (select :is_upload::boolean or ${beyondSql(String(margin))} is not null as alone)
   select set_config('svc.storage_alone', case when alone then 'yes' else '' end, true),
     case when alone then pg_advisory_xact_lock(lock_number('storage', :workspace_id, ''))
       else pg_advisory_xact_lock_shared(lock_number('storage', :workspace_id, '')) end
   from way`,
)

const storageRequire = write(
  'storage_require',
  `select refuse_storage(${beyondSql('0')}, ${beyondSql(String(margin / 2))} is not null)`,
)
