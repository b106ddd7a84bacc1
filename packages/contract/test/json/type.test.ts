import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { isOptional, T } from '../../src/json/type.ts'

/** The same schemas by each library. */
const schemas = (by: typeof T) => {
  const described = { description: 'What it is.' }
  const mixed = { needed: by.String(), left: by.Optional(by.Integer({ minimum: 1 })), any: by.Unknown() }
  return {
    String: by.String({ maxLength: 3, ...described }),
    Integer: by.Integer({ minimum: 1, maximum: 5 }),
    Boolean: by.Boolean(described),
    Unknown: by.Unknown(described),
    Array: by.Array(by.Optional(by.String()), { maxItems: 3 }),
    Object: by.Object(mixed, { additionalProperties: false }),
    'Object without a needed property': by.Object({ left: by.Optional(by.String()) }),
    Record: by.Record(by.String(), by.Unknown(), described),
    'Record with a pattern': by.Record(by.String({ pattern: '^a$' }), by.Integer(), { maxProperties: 4 }),
    Partial: by.Partial(by.Object(mixed, { additionalProperties: false })),
    Optional: by.Optional(by.Unsafe<string>({ $ref: '#/components/schemas/Room' })),
    Unsafe: by.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }),
  }
}

describe('a schema built here', () => {
  const [ours, theirs] = [schemas(T), schemas(Type)]
  for (const name of Object.keys(ours) as (keyof typeof ours)[])
    it(`is that of typebox: ${name}`, () => {
      assert.equal(JSON.stringify(ours[name]), JSON.stringify(theirs[name]))
      assert.equal(isOptional(ours[name]), isOptional(theirs[name]))
    })

  it('marks the properties that may be left out, and changes no schema that it was given', () => {
    const text = T.String()
    assert.deepEqual([isOptional(T.Optional(text)), isOptional(text)], [true, false])
    const { needed } = T.Partial(T.Object({ needed: text })).properties
    assert.deepEqual([isOptional(needed), isOptional(text)], [true, false])
  })
})
