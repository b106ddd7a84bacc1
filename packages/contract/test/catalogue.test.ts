import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems, type ProblemCode } from '@wbs/contract/problems'
import { scopes } from '@wbs/contract/scopes'
import { component, components, nullable, oneOf, openSet, trimmedText, uuid } from '@wbs/contract/schema'
import { T } from '../src/json/type.ts'

describe('the catalogue of problems', () => {
  const codes = Object.keys(problems) as ProblemCode[]

  it('gives every code an error status and a title of one line', () => {
    for (const code of codes) {
      assert.match(code, /^[a-z]+(?:_[a-z]+)*$/)
      assert.ok(problems[code].status >= 400 && problems[code].status < 600)
      assert.match(problems[code].title, /^[A-Z][^\n.]+$/)
    }
  })

  it('marks only temporary problems as retryable', () => {
    assert.deepEqual(
      codes.filter(code => problems[code].retryable),
      ['idempotency_in_progress', 'rate_limited', 'unavailable'],
    )
  })

  it('has the statuses that the interface fixes', () => {
    const expected: Record<string, number> = {
      validation_error: 400,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      revision_conflict: 409,
      evidence_required: 422,
      idempotency_key_reused: 422,
      rate_limited: 429,
    }
    for (const [code, status] of Object.entries(expected))
      assert.equal(problems[code as ProblemCode].status, status)
  })
})

describe('the scopes', () => {
  it('are unique, and have the form resource:verb', () => {
    for (const scope of scopes) assert.match(scope, /^[a-z_]+:[a-z]+$/)
    assert.equal(new Set(scopes).size, scopes.length)
  })
})

describe('a schema', () => {
  const plain = (schema: object): unknown => JSON.parse(JSON.stringify(schema))

  it('that is nullable keeps its other rules', () => {
    assert.deepEqual(plain(nullable(uuid('An id.'))), {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'An id.',
    })
    assert.deepEqual(plain(nullable(T.Integer({ minimum: 1 }))), { type: ['integer', 'null'], minimum: 1 })
  })

  it('with a name is kept once and referred to', () => {
    const reference = component('TestComponent', T.Object({ a: T.String() }))
    const kept = components.get('TestComponent')
    components.delete('TestComponent')
    assert.deepEqual(plain(reference), { $ref: '#/components/schemas/TestComponent' })
    assert.equal((kept as { type: string }).type, 'object')
    assert.deepEqual(plain(nullable(reference)), {
      anyOf: [{ $ref: '#/components/schemas/TestComponent' }, { type: 'null' }],
    })
  })

  it('has closed sets of values in a request, and open ones in an answer', () => {
    assert.deepEqual(plain(oneOf(['a', 'b'])), { type: 'string', enum: ['a', 'b'] })
    const open = plain(openSet(['a', 'b'])) as { enum?: unknown; examples: string[] }
    assert.equal(open.enum, undefined)
    assert.deepEqual(open.examples, ['a', 'b'])
  })

  it('of trimmed text has x-trimmed in the document', () => {
    assert.deepEqual(plain(trimmedText({ minLength: 1, maxLength: 5 })), {
      type: 'string',
      'x-trimmed': true,
      minLength: 1,
      maxLength: 5,
    })
  })
})
