import type { ValueType } from '@wbs/contract/typed-values'
import { foldText } from '../../../src/businesses/fold.ts'
import type { TestService } from '../../harness/service.ts'

type Given = string | number | boolean

interface StoredValue {
  member_id: string
  column_id: string
  value_type: ValueType
  value: Given
}

type Sql = Pick<TestService, 'sql'>

/** Inserts values of a List in one statement, however many there are. */
export async function insertValues(
  { sql }: Sql,
  list: { workspace_id: string; list_id: string },
  values: readonly StoredValue[],
): Promise<void> {
  const rows = values.map(({ member_id, column_id, value_type, value }) => ({
    ...list,
    member_id,
    column_id,
    [`${value_type}_value`]: value,
    ...(value_type === 'text' && { text_folded: foldText(value as string) }),
  }))
  await sql(`insert into list_values select * from jsonb_populate_recordset(null::list_values, $1)`, [
    JSON.stringify(rows),
  ])
}

/** Inserts an override of a List. */
export async function insertOverride(
  { sql }: Sql,
  list: { workspace_id: string; list_id: string },
  { member_id, mode, by }: { member_id: string; mode: 'include' | 'exclude'; by: { user_id: string } },
): Promise<void> {
  await sql(
    `insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at) values ($1, $2, $3, $4, $5, now())`,
    [list.workspace_id, list.list_id, member_id, mode, by.user_id],
  )
}
