import type { ValueType } from '@wbs/contract/typed-values'
import type { Placeholders } from '../../database/composed-read.ts'
import type { Place } from './entry-cursors.ts'
import type { EntryOrder } from './entry-order.ts'

/** What members are sorted by, and its type in PostgreSQL. */
interface SortKey {
  type: string
  sql: string
}

/** How many characters of a text decide, because the cursor contains them. */
const sortedLength = 200

/**
 * The key of the row `m` of a member. It is a subquery so that each value is looked up by its key: without statistics,
 * PostgreSQL would join all members with all values of the column.
 */
export function sortKeySql(by: EntryOrder['by'], { add }: Placeholders): SortKey {
  if (by === 'name') return nameKey
  const { type, sql } = valueKeys[by.value_type]
  const found = `select ${sql} from list_values v where v.workspace_id = :workspace_id and v.list_id = :list_id
    and v.member_id = m.id and v.column_id = ${add('sort_column_id', by.column_id)}`
  return { type, sql: `(${found})` }
}

// The folded name of a Business that is not published is not in published_businesses.
const nameKey: SortKey = {
  type: 'text collate "C"',
  sql: 'coalesce(m.name_folded, (select b.name_folded from businesses b where b.id = m.id))',
}

const valueKeys: Readonly<Record<ValueType, SortKey>> = {
  // No folded text contains the separator, which is before all other characters: this compares the folds, then the texts.
  text: {
    type: 'text collate "C"',
    sql: `(left(v.text_folded, ${sortedLength}) || E'\x01' || left(v.text_value, ${sortedLength})) collate "C"`,
  },
  number: { type: 'double precision', sql: 'v.number_value' },
  boolean: { type: 'boolean', sql: 'v.boolean_value' },
  date: { type: 'date', sql: 'v.date_value' },
}

/** SQL: whether a member comes after a place. Those without a key come last in both directions. */
export function isAfterSql(
  after: Place | null,
  { isDescending }: EntryOrder,
  type: string,
  { add }: Placeholders,
): string {
  if (!after) return 'true'
  const id = add('after_id', after.id)
  if (after.key === null) return `m.found_key is null and m.id > ${id}`
  const key = `${add('after_key', after.key)}::${type}`
  return `(m.found_key ${isDescending ? '<' : '>'} ${key} or m.found_key = ${key} and m.id > ${id} or m.found_key is null)`
}
