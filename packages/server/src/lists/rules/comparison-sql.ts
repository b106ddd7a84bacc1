import type { FieldRule } from '@wbs/contract/lists/rules'
import { likePattern } from '../../businesses/fold.ts'
import type { Placeholders } from '../../database/composed-read.ts'
import { firstDayWithin } from './within-last.ts'

/** What a leaf compares a fact with. */
export type Comparison = Pick<FieldRule, 'operator' | 'value'>

/** SQL: whether a day meets a leaf. */
export function daySql(
  column: string,
  { operator, value }: Comparison,
  { add }: Placeholders,
  today: string,
): string {
  const [from, to] =
    operator === 'within_last'
      ? [firstDayWithin(value as string, today), today]
      : Array.isArray(value)
        ? (value as string[])
        : []
  if (from !== undefined) return `(${column} >= ${add('from', from)} and ${column} <= ${add('to', to)})`
  return `${column} ${{ eq: '=', before: '<', after: '>' }[operator as 'eq' | 'before' | 'after']} ${add('day', value)}`
}

/** How the text of a field is compared. */
export interface TextColumn {
  sql: string
  /**
   * The condition that a row has one of these texts, in a form that an index finds. `equalSql` is the plain form. The two are
   * joined by `and` only where the index finds more rows: PostgreSQL takes conditions for independent, so it would expect
   * far too few rows, and read all of them by the index where a walk by id ends after a few.
   */
  indexedSql?(texts: string[], equalSql: string, placeholders: Placeholders): string
  /** Compares with a pattern, if an index finds patterns. */
  isSearched?: true
}

/** SQL: whether a text meets a leaf. A text that folds to nothing is in no text. */
export function textSql(
  column: TextColumn & { fold(text: string): string },
  { operator, value }: Comparison,
  placeholders: Placeholders,
): string {
  const { add } = placeholders
  const given = (Array.isArray(value) ? value : [value]).map(text => column.fold(text as string))
  const texts = [...new Set(given)].filter(text => text !== '')
  const [first] = texts
  const isNegative = operator === 'neq' || operator === 'not_in'
  if (first === undefined) return isNegative ? `${column.sql} is not null` : 'false'
  if (isNegative) return `${column.sql} <> all (${add('texts', texts)})`
  if (operator === 'contains' || operator === 'starts_with')
    return partSql(column, operator, first, placeholders)
  const equal =
    texts.length === 1
      ? `${column.sql} = ${add('text', first)}`
      : `${column.sql} = any (${add('texts', texts)})`
  return column.indexedSql?.(texts, equal, placeholders) ?? equal
}

function partSql(
  column: TextColumn,
  operator: 'contains' | 'starts_with',
  text: string,
  { add }: Placeholders,
): string {
  if (!column.isSearched)
    return operator === 'contains'
      ? `strpos(${column.sql}, ${add('text', text)}) > 0`
      : `starts_with(${column.sql}, ${add('text', text)})`
  const pattern = likePattern(text)
  return `${column.sql} like ${add('pattern', operator === 'contains' ? pattern : pattern.slice(1))}`
}
