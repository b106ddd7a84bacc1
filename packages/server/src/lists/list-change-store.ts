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
  const { workspace_id, name, description, rule } = list
  const list_id = newId('list', now.getTime())
  const columns = list.columns.map((column, position) => ({
    column_id: randomUUIDv7(),
    ...column,
    position,
    archived_at: null,
  }))
  tx.save(listInsert, { ...list, list_id, name_folded: foldName(name), rule: JSON.stringify(rule), now })
  if (columns.length > 0)
    tx.save(columnsInsert, { workspace_id, list_id, columns: JSON.stringify(columns), now })
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
  const list = { ...before, ...after }
  const archived_at = list.lifecycle_status === 'archived' ? (before.archived_at ?? now.toISOString()) : null
  const changesMembers = !isDeepStrictEqual(list.rule, before.rule)
  tx.save(listSave, {
    ...list,
    name_folded: foldName(list.name),
    rule: JSON.stringify(list.rule),
    archived_at,
    now,
    changes_members: changesMembers,
  })
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
  tx.save(listTouch, { ...list, now, changes_members: changesMembers })
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
  (await reader.one(lastList, { workspace_id })) !== undefined

const lastList = read<object>(
  'list_last_possible',
  `select from lists where workspace_id = :workspace_id offset ${mostLists - 1} limit 1`,
)

const listInsert = write(
  'list_insert',
  `insert into lists (workspace_id, id, name, name_folded, description, rule, created_by, created_at, updated_at)
   values (:workspace_id, :list_id, :name, :name_folded, :description, :rule, :user_id, :now, :now)`,
)

const columnsInsert = write(
  'list_columns_insert',
  `insert into list_columns (workspace_id, list_id, id, name, value_type, position, created_at)
   select :workspace_id, :list_id, c.column_id, c.name, c.value_type, c.position, :now
   from jsonb_to_recordset(:columns::jsonb) as c (column_id uuid, name text, value_type text, position integer)`,
)

const listSave = updateRevision(
  'list_save',
  `update lists
   set name = :name, name_folded = :name_folded, description = :description, rule = :rule,
     lifecycle_status = :lifecycle_status, archived_at = :archived_at, version = version + 1, updated_at = :now,
     members_version = case when :changes_members then version + 1 else members_version end
   where workspace_id = :workspace_id and id = :list_id and version = :version`,
)

const listTouch = updateRevision(
  'list_touch',
  `update lists set version = version + 1, updated_at = :now,
     members_version = case when :changes_members then version + 1 else members_version end
   where workspace_id = :workspace_id and id = :list_id and version = :version`,
)
