import type { Id } from '@wbs/contract/ids'
import type { Value, ValueType } from '@wbs/contract/typed-values'
import type { InputError } from '@wbs/contract/problems'
import { isDay } from '../../businesses/fact-formats.ts'

/** What a request wants in the cell of a member and a column; null clears it. */
export interface GivenCell {
  member_id: Id<'biz'>
  column_id: string
  value: Value | null
}

const typeOf = { text: 'string', date: 'string', number: 'number', boolean: 'boolean' } as const

/** What is wrong with a value beyond its schema, whatever the column. `at` is its pointer. */
export function valueError(given: Value | null, at: string): InputError | null {
  if (given === null) return null
  const { value_type, value } = given
  const error = (code: InputError['code'], detail: string): InputError => ({
    in: 'body',
    pointer: `${at}/value`,
    code,
    detail,
  })
  if (typeof value !== typeOf[value_type])
    return error('type', `With the value_type ${value_type}, value must be a ${typeOf[value_type]}.`)
  if (value_type === 'number' && !Number.isFinite(value))
    return error('out_of_range', 'value must be a number that a double can represent.')
  if (value_type === 'text' && value === '')
    return error('too_short', 'value must have at least 1 character. Send null as the value to clear it.')
  if (value_type === 'date' && !isDay(value as string))
    return error('format', 'value must be an existing day from 1000-01-01 to 2199-12-31, as YYYY-MM-DD.')
  return null
}

/** What is wrong with the type of a value for its column. `at` is the pointer of the value. */
export function typeError(
  given: Value | null,
  column: { value_type: ValueType },
  at: string,
): InputError | null {
  if (given === null || given.value_type === column.value_type) return null
  const detail = `The column has the value_type ${column.value_type}.`
  return { in: 'body', pointer: `${at}/value_type`, code: 'conflict', detail }
}

/** Identifies a cell. */
export const cellKey = ({ member_id, column_id }: { member_id: string; column_id: string }): string =>
  `${member_id} ${column_id}`

/** Errors about cells that the request names a second time. */
export function repetitions(cells: readonly GivenCell[]): InputError[] {
  const seen = new Set<string>()
  return cells.flatMap((cell, position) => {
    const key = cellKey(cell)
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    const detail = 'The request names this member and column more than once.'
    return [{ in: 'body', pointer: `/values/${position}`, code: 'conflict', detail } as const]
  })
}
