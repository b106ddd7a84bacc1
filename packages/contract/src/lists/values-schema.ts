import { Type as T } from 'typebox'
import { closed, oneOf, open, openSet } from '../schema.ts'

export const valueTypes = ['text', 'number', 'boolean', 'date'] as const

export type ValueType = (typeof valueTypes)[number]

/** A value of a column, with its type. */
export interface Value {
  value_type: ValueType
  value: string | number | boolean
}

/** A value of a column, in an answer. */
export const ColumnValue = T.Unsafe<Value>(
  open({ value_type: openSet(valueTypes), value: T.Unsafe({ type: ['string', 'number', 'boolean'] }) }),
)

/** A value of a column, in a request. Its type is checked by the service. */
export const GivenValue = T.Unsafe<Value>({
  ...closed({
    value_type: oneOf(valueTypes, 'The type of the column.'),
    value: T.Unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      maxLength: 10_000,
      description: 'The value, of the type in value_type. A date is a string, as YYYY-MM-DD.',
    }),
  }),
  description: 'The value, or null to clear it.',
  examples: [{ value_type: 'number', value: 61 }],
})
