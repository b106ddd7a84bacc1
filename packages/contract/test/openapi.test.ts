import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { limitsOf } from '../src/limits.ts'
import { openApiDocument } from '../src/openapi.ts'
import { methodOf, pathOf, scopesOf, type Operation } from '../src/operation.ts'
import { problems } from '../src/problems.ts'
import { operations } from '../src/registry.ts'
import { scopes } from '../src/scopes.ts'

type Json = Record<string, unknown>
const document: Json = { ...openApiDocument() }

/** Every object within a value, itself included. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  yield { ...value }
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

/** The value to which a JSON Pointer in a fragment refers. */
const follow = (reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    assert.equal(errors, undefined)
    assert.ok(valid)
    assert.equal(validator.version, '3.1')
  })

  it('has only references that resolve', () => {
    const references = [...objectsIn(document)]
      .map(({ $ref }) => $ref)
      .filter(reference => typeof reference === 'string')
    assert.ok(references.length > operations.length)
    for (const reference of references) assert.ok(follow(reference), reference)
  })

  it('has only patterns that are regular expressions', () => {
    const patterns = [...objectsIn(document)]
      .map(({ pattern }) => pattern)
      .filter(pattern => typeof pattern === 'string')
    assert.ok(patterns.length > 0)
    for (const pattern of patterns) assert.doesNotThrow(() => RegExp(pattern, 'u'))
  })

  it('has every operation under its path and method, and no others', () => {
    const described = Object.entries(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    )
    const declared = operations.map(
      operation => `${operation.name} ${methodOf(operation)} ${pathOf(operation)}`,
    )
    assert.deepEqual(described.sort(), declared.sort())
  })

  it('declares each parameter that a path names', () => {
    for (const operation of operations)
      for (const [, name = ''] of pathOf(operation).matchAll(/\{(\w+)\}/g))
        assert.ok(name in operation.input, `${operation.name}: ${name}`)
  })

  for (const operation of operations as readonly Operation[])
    it(`has the headers, permissions and problems of ${operation.name}`, () => {
      const described = describedAs(operation)
      assert.equal(headersOf(described).includes('Idempotency-Key'), operation.kind === 'mutation')
      assert.equal(
        requiredHeadersOf(described).includes('SVC-Workspace-Id'),
        operation.audience === 'workspace' && !operation.visitors,
      )
      assert.equal(
        headersOf(described).includes('SVC-Claim-Token'),
        operation.visitors === true && operation.kind === 'query',
      )
      assert.equal(described.security?.length === 0, operation.audience === 'public')
      const permissions = described.security?.flatMap(requirement => Object.values(requirement).flat()) ?? []
      assert.deepEqual([...new Set(permissions)], [...scopesOf(operation)])
      for (const permission of permissions) assert.ok((scopes as readonly string[]).includes(permission))
      const isLimited = limitsOf(operation).length > 0
      const refusal = described.responses['429']
      assert.equal(refusal?.description.includes('`rate_limited`') ?? false, isLimited)
      const success = described.responses[operation.kind === 'query' ? 200 : operation.status]
      for (const name of ['RateLimit', 'RateLimit-Policy']) {
        assert.equal(name in (success?.headers ?? {}), isLimited)
        assert.equal(name in (refusal?.headers ?? {}), isLimited)
      }
      assert.equal('Retry-After' in (refusal?.headers ?? {}), isLimited)
      for (const code of operation.problems)
        assert.match(described.responses[problems[code].status]?.description ?? '', new RegExp(`\`${code}\``))
    })
})

interface Described {
  security?: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean }[]
  responses: Record<string, { $ref?: string; description: string; headers?: object }>
}

/** An operation as the document describes it, with the answers that it shares with others. */
function describedAs(operation: Operation): Described {
  const paths = document.paths as Record<string, Record<string, Described>>
  const described = paths[pathOf(operation)]?.[methodOf(operation).toLowerCase()] as Described
  const answers = Object.entries(described.responses).map(([status, answer]) => [
    status,
    answer.$ref === undefined ? answer : follow(answer.$ref),
  ])
  return { ...described, responses: Object.fromEntries(answers) as Described['responses'] }
}

const headersOf = ({ parameters }: Described) =>
  parameters.filter(one => one.in === 'header').map(one => one.name)
const requiredHeadersOf = ({ parameters }: Described) =>
  parameters.filter(one => one.in === 'header' && one.required).map(one => one.name)
