import { T } from './json/type.ts'
import { closed, oneOf, open, openSet } from './schema.ts'

export const valueTypes = ['text', 'number', 'boolean', 'date'] as const

export type ValueType = (typeof valueTypes)[number]

/** A value with its type: of an observation, or of a column of a List. */
export interface Value {
  value_type: ValueType
  value: string | number | boolean
}

/** A typed value in an answer. */
export const TypedValue = T.Unsafe<Value>(
  open({ value_type: openSet(valueTypes), value: T.Unsafe({ type: ['string', 'number', 'boolean'] }) }),
)

/** A typed value in a request. The service checks that the value has the type. */
export const givenValue = (texts: { value_type: string; description: string; example: Value }) =>
  T.Unsafe<Value>({
    ...closed({
      value_type: oneOf(valueTypes, texts.value_type),
      value: T.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        maxLength: 10_000,
        description: 'The value, of the type in value_type. A date is a string, as YYYY-MM-DD.',
      }),
    }),
    description: texts.description,
    examples: [texts.example],
  })
