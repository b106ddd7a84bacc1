import type { CountStatus, lifecycleStatuses } from '@wbs/contract/lists/lists'
import type { Rule } from '@wbs/contract/lists/rules'
import type { ValueType } from '@wbs/contract/typed-values'
import type { Id } from '@wbs/contract/ids'
import { jsonTimeSql } from '../database/database-time.ts'
import { mayLockForSql } from '../database/locks.ts'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'

export interface ColumnRow {
  column_id: string
  name: string
  value_type: ValueType
  /** Null if the column is archived. */
  position: number | null
  archived_at: string | null
}

export interface ListRow {
  workspace_id: string
  list_id: Id<'list'>
  name: string
  description: string | null
  rule: Rule
  version: number
  /** The version that last changed which Businesses are members. */
  members_version: number
  lifecycle_status: (typeof lifecycleStatuses)[number]
  /** What was counted last; null if nothing was. */
  counted: {
    value: number
    status: Extract<CountStatus, 'exact' | 'estimated'>
    version: number
    at: string
  } | null
  /** Whether an override has expired since the count. */
  expired_since: boolean
  /** Whether it has any, active or not. */
  has_overrides: boolean
  created_at: string
  updated_at: string
  archived_at: string | null
  /** In their order; archived ones, if they were read, come last. */
  columns: ColumnRow[]
}

declare const opened: unique symbol

/**
 * A List that was opened for a change: it is locked, and was read under that lock with its archived columns. Functions that
 * save require this type, and only list-access.ts returns it.
 */
export type OpenedList = ListRow & { readonly [opened]: true }

/** A List of a Workspace. */
export const listById = (
  reader: Reader,
  workspace_id: string,
  list_id: string,
  { include_archived = false } = {},
): Promise<ListRow | undefined> => reader.one(byId, { workspace_id, list_id, include_archived })

/** Locks a List for the standing with this seal, and reads it with its archived columns. */
export async function lockList(
  tx: Transaction,
  workspace_id: string,
  list_id: string,
  seal: string,
): Promise<OpenedList | undefined> {
  const [locked, list] = await Promise.all([
    tx.run(lock, { workspace_id, list_id, seal }),
    listById(tx, workspace_id, list_id, { include_archived: true }),
  ])
  return locked.length > 0 ? (list as OpenedList | undefined) : undefined
}

/** What was counted of a List last, and what it takes to know whether the count still holds. */
export type CountedList = Pick<ListRow, 'members_version' | 'counted' | 'expired_since'>

/** The columns of a CountedList from the row `l`. */
export const countedListColumnsSql = `l.members_version,
  case when l.counted_at is not null then jsonb_build_object('value', l.counted_value, 'status', l.counted_status,
    'version', l.counted_version, 'at', ${jsonTimeSql('l.counted_at')}) end as counted,
  l.counted_at is not null and exists (
    select from list_overrides o where o.workspace_id = :workspace_id and o.list_id = l.id
      and o.expires_at > l.counted_at and o.expires_at <= statement_timestamp()) as expired_since`

/** The columns of a ListRow from the row `l`. `:include_archived` says whether archived columns are read too. */
export const listColumnsSql = `l.workspace_id, l.id as list_id, l.name, l.description, l.rule, l.version,
  l.lifecycle_status, l.created_at, l.updated_at, l.archived_at, ${countedListColumnsSql},
  exists (select from list_overrides o where o.workspace_id = :workspace_id and o.list_id = l.id) as has_overrides,
  coalesce((
    select jsonb_agg(jsonb_build_object('column_id', c.id, 'name', c.name, 'value_type', c.value_type,
        'position', c.position, 'archived_at', ${jsonTimeSql('c.archived_at')}) order by c.position nulls last, c.id)
    from list_columns c
    where c.workspace_id = :workspace_id and c.list_id = l.id and (:include_archived::boolean or c.position is not null)
  ), '[]') as columns`

const byId = read<ListRow>(
  'list_by_id',
  `select ${listColumnsSql} from lists l where l.workspace_id = :workspace_id and l.id = :list_id`,
)

const lock = write<object>(
  'list_lock',
  `select pg_advisory_xact_lock(lock_number('list', :workspace_id, id)) from lists
   where workspace_id = :workspace_id and id = :list_id and ${mayLockForSql(':seal::text')}`,
)

/** Whether a Workspace has a column with an id, archived ones included. */
export const hasColumn = async (reader: Reader, workspace_id: string, column_id: string): Promise<boolean> =>
  (await reader.one(columnById, { workspace_id, column_id })) !== undefined

const columnById = read<object>(
  'list_column_by_id',
  'select from list_columns where workspace_id = :workspace_id and id = :column_id',
)
