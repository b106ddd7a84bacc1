import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { T } from '../src/json/type.ts'
import type { Operation } from '../src/operation.ts'
import { operations } from '../src/registry.ts'
import { closed, nullable, trimmedText, uuid } from '../src/schema.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  examples?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

const isText = ({ type }: Schema) => [type].flat().includes('string')

/** Whether callers write the text themselves: it is not an enumeration, not of a format, and not of a bounded pattern. */
const isFree = (schema: Schema) => {
  const isFixed = schema.pattern !== undefined && !/[*+]|\{\d+,\}/.test(schema.pattern)
  return isText(schema) && schema.enum === undefined && schema.format === undefined && !isFixed
}

/** The names of the free texts in a schema that have no example. An example of an object covers the texts in it. */
function withoutExample(name: string, schema: Schema): string[] {
  if (schema.examples !== undefined) return []
  return [
    ...(isFree(schema) ? [name] : []),
    ...(schema.anyOf ?? []).flatMap(one => withoutExample(name, one)),
    ...(schema.items ? withoutExample(`${name}[]`, schema.items) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
      withoutExample(`${name}.${key}`, inner),
    ),
  ]
}

/** Why the rules of a schema refuse a text; undefined if they accept it. */
function faultOf(text: string, { minLength = 0, maxLength = Infinity, pattern }: Schema): string | undefined {
  const { length } = Array.from(text)
  if (length < minLength || length > maxLength) return `has ${length} characters`
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return `does not match ${pattern}`
  return undefined
}

function* textsIn(name: string, schema: Schema): Generator<[name: string, schema: Schema]> {
  if (isText(schema)) yield [name, schema]
  for (const one of schema.anyOf ?? []) yield* textsIn(name, one)
  if (schema.items) yield* textsIn(`${name}[]`, schema.items)
  for (const [key, inner] of Object.entries(schema.properties ?? {})) yield* textsIn(`${name}.${key}`, inner)
}

/** Whether another parameter has the example, because a request may have only one of the two. */
const isAlternative = (op: Operation, name: string) =>
  op.rules?.some(rule => rule.rule === 'exclusive' && rule.fields[1] === name) ?? false

for (const op of operations as readonly Operation[])
  describe(`the texts of ${op.name}`, () => {
    const input = Object.entries(op.input as Record<string, Schema>)

    it('have an example each, if callers write them', () => {
      const missing = input
        .filter(([name]) => !isAlternative(op, name))
        .flatMap(([name, schema]) => withoutExample(name, schema))
      assert.deepEqual(missing, [])
    })

    it('have examples that are valid and realistic', () => {
      for (const [place, schema] of input.flatMap(([name, schema]) => [...textsIn(name, schema)]))
        for (const given of schema.examples ?? []) {
          if (typeof given !== 'string') continue
          assert.equal(faultOf(given, schema), undefined, `${place}: ${given}`)
          assert.doesNotMatch(given, /\bexample (?:of|name|text|title)\b/i, place)
        }
    })

    it('end in a full stop, and address the caller as you', () => {
      const told = [op.summary, op.description, ...describedIn(op.input)].filter(one => one !== undefined)
      for (const text of told) {
        assert.match(text, /[.]$/)
        assert.doesNotMatch(text, /\bthe caller\b/i)
      }
    })
  })

function* describedIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'description' && typeof inner === 'string') yield inner
    yield* describedIn(inner)
  }
}

describe('the test of examples', () => {
  const bare = trimmedText({ minLength: 1, maxLength: 5 })
  const names = (schema: object) => withoutExample('field', schema)

  it('finds a free text without an example at any depth', () => {
    assert.deepEqual(names(bare), ['field'])
    assert.deepEqual(names(nullable(bare)), ['field'])
    assert.deepEqual(names(T.Array(bare)), ['field[]'])
    assert.deepEqual(names(closed({ note: bare })), ['field.note'])
  })

  it('ignores a text that has an example, and one that is not free', () => {
    assert.deepEqual(names(trimmedText({ minLength: 1, maxLength: 5, example: 'North' })), [])
    assert.deepEqual(names(uuid()), [])
  })
})
