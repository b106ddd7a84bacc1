import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { newId } from '@wbs/contract/ids'
import type { Rule } from '@wbs/contract/lists/rules'
import type { ValueType } from '@wbs/contract/typed-values'
import { foldName } from '../businesses/fold.ts'
import { read, updateRevision, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { ListRow, OpenedList } from './list-store.ts'

export interface NewList {
  workspace_id: string
  user_id: string
  name: string
  description: string | null
  rule: Rule
  columns: readonly { name: string; value_type: ValueType }[]
}

/** Inserts a List with its columns. */
export function insertList(tx: Transaction, list: NewList, now: Date): ListRow {
  const { workspace_id, user_id, name, description, rule } = list
  const list_id = newId('list', now.getTime())
  const columns = list.columns.map((column, position) => ({
    column_id: randomUUIDv7(),
    ...column,
    position,
    archived_at: null,
  }))
  tx.save(listInsert, [
    workspace_id,
    list_id,
    name,
    foldName(name),
    description,
    JSON.stringify(rule),
    user_id,
    now,
  ])
  if (columns.length > 0) tx.save(columnsInsert, [workspace_id, list_id, JSON.stringify(columns), now])
  const at = now.toISOString()
  return {
    workspace_id,
    list_id,
    name,
    description,
    rule,
    version: 1,
    members_version: 1,
    lifecycle_status: 'active',
    counted: null,
    expired_since: false,
    has_overrides: false,
    created_at: at,
    updated_at: at,
    archived_at: null,
    columns,
  }
}

/** Saves the name, the description, the rule and the status of a List as a new version. */
export function saveList(tx: Transaction, before: OpenedList, after: Changes, now: Date): ListRow {
  const { workspace_id, list_id } = before
  const list = { ...before, ...after }
  const archived_at = list.lifecycle_status === 'archived' ? (before.archived_at ?? now.toISOString()) : null
  const changesMembers = !isDeepStrictEqual(list.rule, before.rule)
  tx.save(listSave, [
    workspace_id,
    list_id,
    list.name,
    foldName(list.name),
    list.description,
    JSON.stringify(list.rule),
    list.lifecycle_status,
    archived_at,
    now,
    changesMembers,
    before.version,
  ])
  return { ...nextVersion(list, now, changesMembers), archived_at }
}

type Changes = Partial<Pick<ListRow, 'name' | 'description' | 'rule' | 'lifecycle_status'>>

/**
 * Raises the version of a List for a change of its columns, overrides or values. `changesMembers`: the change may have made
 * Businesses members or ended that.
 */
export function saveNextVersion<Row extends OpenedList>(
  tx: Transaction,
  list: Row,
  now: Date,
  { changesMembers = false } = {},
): Row {
  tx.save(listTouch, [list.workspace_id, list.list_id, now, changesMembers, list.version])
  return nextVersion(list, now, changesMembers)
}

/** The row of a locked List after the statements that raise its version. */
const nextVersion = <Row extends ListRow>(list: Row, now: Date, changesMembers: boolean): Row => ({
  ...list,
  version: list.version + 1,
  members_version: changesMembers ? list.version + 1 : list.members_version,
  updated_at: now.toISOString(),
})

export const mostLists = 10_000

/** Whether a Workspace has as many Lists as it can have. */
export const hasMostLists = async (reader: Reader, workspace_id: string): Promise<boolean> =>
  (await reader.one(lastList, [workspace_id])) !== undefined

const lastList = read<object>(
  'list_last_possible',
  `select from lists where workspace_id = $1 offset ${mostLists - 1} limit 1`,
)

const listInsert = write(
  'list_insert',
  `insert into lists (workspace_id, id, name, name_folded, description, rule, created_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
)

const columnsInsert = write(
  'list_columns_insert',
  `insert into list_columns (workspace_id, list_id, id, name, value_type, position, created_at)
   select $1, $2, c.column_id, c.name, c.value_type, c.position, $4
   from jsonb_to_recordset($3::jsonb) as c (column_id uuid, name text, value_type text, position integer)`,
)

const listSave = updateRevision(
  'list_save',
  `update lists set name = $3, name_folded = $4, description = $5, rule = $6, lifecycle_status = $7, archived_at = $8,
     version = version + 1, updated_at = $9, members_version = case when $10 then version + 1 else members_version end
   where workspace_id = $1 and id = $2 and version = $11`,
)

const listTouch = updateRevision(
  'list_touch',
  `update lists set version = version + 1, updated_at = $3,
     members_version = case when $4 then version + 1 else members_version end
   where workspace_id = $1 and id = $2 and version = $5`,
)
