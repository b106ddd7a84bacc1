import assert from 'node:assert/strict'
import { it } from 'node:test'
import { docComment, membersText, typeText, type TypeSchema } from './generate/sdk/type-text.ts'

const cases: [TypeSchema, given: string, answered?: string][] = [
  [{ type: 'string', enum: ['a', 'b'] }, "'a' | 'b'"],
  [{ type: 'string', 'x-values': ['a', 'b'] }, "'a' | 'b' | (string & {})"],
  [{ type: ['string', 'null'], enum: ['a', null] }, "'a' | null"],
  [{ type: ['string', 'null'], 'x-values': ['a'] }, "'a' | (string & {}) | null"],
  [{ type: 'array', items: { type: 'integer' } }, 'readonly (number)[]', '(number)[]'],
  [{ type: 'object' }, 'object', 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
  [{ $ref: '#/components/schemas/Room' }, 'Room'],
  [{ const: true, type: 'boolean' }, 'true'],
  [{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }, 'A | B'],
  [{ anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, 'A | null'],
  [
    {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' } },
      oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
    },
    '{ id: string\n } & (A | B)',
  ],
  [{}, 'unknown'],
]
for (const [schema, given, answered = given] of cases)
  it(`${JSON.stringify(schema)} is ${given}`, () => {
    assert.equal(typeText(schema, 'given'), given)
    assert.equal(typeText(schema, 'answered'), answered)
  })

it('members of inputs may be undefined, and a cursor may be null', () => {
  const schema = {
    required: ['id'],
    properties: { id: { type: 'string' }, cursor: { type: 'string', description: 'Where.' } },
  }
  const given = 'id: string\n/** Where. */\ncursor?: string | null | undefined\n'
  assert.equal(membersText(schema, 'given'), given)
  assert.equal(membersText(schema, 'answered'), 'id: string\n/** Where. */\ncursor?: string\n')
})

it('refuses a type that it does not know', () => {
  assert.throws(() => typeText({ type: 'date' }, 'given'), /no type for/)
})

it('a comment cannot end early, and long ones are wrapped', () => {
  assert.equal(docComment('a */ b'), '/** a *\\/ b */\n')
  assert.equal(docComment(''), '')
  const lines = docComment('word '.repeat(50).trim()).split('\n')
  assert.ok(lines.length > 3 && lines.every(line => line.length <= 104))
})
