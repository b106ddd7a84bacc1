import { inputParts, isRequired, takesBody, type Operation } from '@wbs/contract/operation'
import { referenced } from '@wbs/contract/schema'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import type { Input } from '../operations/wire.ts'
import { hostileTexts, unstorableTexts } from './hostile-text.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  $ref?: string
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
}

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 40 }))

/** Texts that match a pattern. Most operations have the patterns of others, and making this takes longer than its use. */
function matching(pattern: string): fc.Arbitrary<string> {
  const made = texts.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  texts.set(pattern, made)
  return made
}

const texts = new Map<string, fc.Arbitrary<string>>()

/** Values that fit a schema, as far as its keywords are known here. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return fitting(referenced(schema))
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(fitting))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  const { type = 'null', minLength = 0, maxLength = 60, minimum = -5, maximum = 5 } = schema
  if (Array.isArray(type)) return fc.oneof(...type.map(one => fitting({ ...schema, type: one })))
  switch (type) {
    case 'string':
      if (schema.format === 'uuid') return fc.uuid()
      if (schema.format === 'date-time')
        return fc.date({ noInvalidDate: true }).map(date => date.toISOString())
      if (schema.format === 'date')
        return fc.date({ noInvalidDate: true }).map(date => date.toISOString().slice(0, 10))
      if (schema.pattern !== undefined) return matching(schema.pattern)
      return fc.oneof(
        fc.string({ minLength, maxLength: Math.min(maxLength, 60) }),
        fc.constantFrom(minLength, maxLength).map(n => 'é'.repeat(n)),
      )
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: 1,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fitting(inner)]),
        ),
      )
    default:
      return fc.constant(null)
  }
}

/** Values that do not fit a schema, by little or by much. */
function unfitting(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 1, maxLength = 100, minimum = 0, maximum = 0 } = schema
  return fc.oneof(
    text,
    fc.constantFrom(...unstorableTexts),
    fc.constantFrom(
      'a'.repeat(maxLength + 1),
      '😀'.repeat(maxLength),
      'a'.repeat(Math.max(0, minLength - 1)),
    ),
    fc.constantFrom(minimum - 1, maximum + 1, 1.5, -0, 2 ** 31, 2 ** 53, Number.MAX_VALUE, -1e-300),
    fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: { b: {} } }),
    fc.jsonValue({ maxDepth: 3 }),
    fitting(schema).map(value => (typeof value === 'string' ? `${value} ` : [value])),
  )
}

/** Input of an operation: mostly valid, with some of it invalid, missing or unknown. */
export function arbitraryInput(operation: Operation): fc.Arbitrary<Input> {
  const { path } = inputParts(operation)
  const fields = Object.entries(operation.input as Record<string, TSchema & Schema>).map(([name, schema]) => {
    const inPath = Object.hasOwn(path, name)
    const value = fc.oneof(
      { weight: 4, arbitrary: fitting(schema) },
      { weight: 1, arbitrary: inPath ? pathText : unfitting(schema) },
    )
    const presence = isRequired(schema) ? 0.95 : 0.4
    const isThere = inPath
      ? fc.constant(true)
      : fc.double({ min: 0, max: 1, noNaN: true }).map(n => n < presence)
    return fc.tuple(fc.constant(name), value, isThere)
  })
  const surplus = fc.tuple(
    text.filter(name => takesBody(operation) || name.isWellFormed()),
    fc.oneof(text, fc.jsonValue()),
    fc.integer({ min: 0, max: 15 }).map(n => n === 0),
  )
  return fc
    .tuple(...fields, surplus)
    .map(
      all =>
        Object.fromEntries(
          all.flatMap(([name, value, isThere]) => (isThere ? [[name, value]] : [])),
        ) as Input,
    )
}

/** What a URL can have as a path segment. Segments of dots would make another URL. */
const pathText = text.map(value => value.toWellFormed()).filter(value => !/^\.{0,2}$/.test(value))
