import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventTypes, reservedEventTypes } from '@wbs/contract/events'
import { openApiDocument } from '@wbs/contract/openapi'
import { inputParts, isRequired, methodOf, pathOf, scopesOf, type Operation } from '@wbs/contract/operation'
import { problems } from '@wbs/contract/problems'
import { operations } from '@wbs/contract/registry'
import { referenced } from '@wbs/contract/schema'
import { scopes } from '@wbs/contract/scopes'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  anyOf?: Schema[]
  $ref?: string
}

const all = operations as readonly Operation[]
const envelope = ['request_id', 'original_request_id', 'idempotent_replay', 'action_receipt', 'receipt']

const repeated = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) < at)

/** Operations that nobody can be denied. */
const forEveryMember = ['leave_team', 'leave_room']

describe('the registry', () => {
  it('has every name and every pair of method and path once', () => {
    assert.deepEqual(repeated(all.map(op => op.name)), [])
    assert.deepEqual(repeated(all.map(op => op.http.replaceAll(/\{\w+\}/g, '{}'))), [])
  })

  it('gives a path parameter the same name in every operation', () => {
    const names = new Map<string, string>()
    for (const op of all)
      for (const { 0: parameter, index } of pathOf(op).matchAll(/\{\w+\}/g)) {
        const place = pathOf(op)
          .slice(0, index)
          .replaceAll(/\{\w+\}/g, '{}')
        assert.equal(parameter, names.get(place) ?? parameter, op.http)
        names.set(place, parameter)
      }
  })
})

for (const op of all)
  describe(`the declaration of ${op.name}`, () => {
    const { path, query, body } = inputParts(op)

    it('has a name, a path and a summary of the agreed form', () => {
      assert.match(op.name, /^[a-z]+(?:_[a-z]+)*$/)
      assert.match(op.http, /^(?:GET|POST|PUT|PATCH) (?:\/v1(?:\/[a-z-]+|\/\{[a-z_]+\})+|\/[a-z]+)$/)
      assert.match(op.summary, /^[A-Z][^\n]*[.]$/)
      for (const name of Object.keys(op.input)) assert.match(name, /^[a-z][a-z0-9_]*$/)
    })

    it('declares each parameter of its path, and requires it', () => {
      const named = Array.from(pathOf(op).matchAll(/\{(\w+)\}/g), match => match[1])
      assert.deepEqual(new Set(Object.keys(path)), new Set(named))
      for (const schema of Object.values(path)) assert.ok(isRequired(schema))
    })

    it('changes something only if it is a mutation, and never by GET', () => {
      if (op.kind === 'mutation') assert.notEqual(methodOf(op), 'GET')
      if (['PUT', 'PATCH'].includes(methodOf(op))) assert.equal(op.kind, 'mutation')
    })

    it('has a scope if it runs in a Workspace, and only then', () => {
      assert.equal(op.scope !== undefined, op.audience === 'workspace' && !forEveryMember.includes(op.name))
      for (const scope of scopesOf(op)) assert.ok(scopes.includes(scope))
    })

    it('does not use the keys of the envelope', () => {
      const taken = op.kind === 'mutation' ? envelope : ['request_id']
      for (const key of Object.keys(op.output)) assert.ok(!taken.includes(key), key)
    })

    it('bounds every text and list that a client may send', () => {
      for (const [name, schema] of Object.entries({ ...path, ...query, ...body })) assertBounded(name, schema)
    })

    it('refuses unknown keys in every object', () => {
      for (const [name, schema] of Object.entries({ ...path, ...query, ...body })) assertClosed(name, schema)
    })

    it('has a cursor and a limit if it answers with pages', () => {
      if (!('page' in op.output)) return
      assert.ok('cursor' in query && 'limit' in query && 'data' in op.output)
      const limit = query['limit'] as { minimum?: number; maximum?: number; default?: number }
      assert.deepEqual([limit.minimum, limit.maximum, limit.default], [1, 100, 20])
    })

    it('names only its own optional parameters in its rules', () => {
      for (const rule of op.rules ?? [])
        for (const name of rule.rule === 'requires' ? [rule.field, rule.needs] : rule.fields) {
          assert.ok(name in op.input, name)
          assert.ok(!isRequired(op.input[name] as never), `${name} is required, so the rule decides nothing`)
        }
    })

    it('names only problems, events and secrets that exist', () => {
      for (const code of op.problems) assert.ok(code in problems, code)
      if (op.kind === 'query') return
      for (const type of op.emits) assert.ok(type in eventTypes, type)
      for (const key of op.secrets ?? []) assert.ok(JSON.stringify(op.output).includes(`"${key}"`), key)
    })
  })

it('each type of event that a Room shows has a schema in the document, and no other', () => {
  const { schemas } = (
    openApiDocument() as {
      components: { schemas: Record<string, { oneOf?: { $ref: string }[]; properties?: object }> }
    }
  ).components
  const names = (schemas['Event']?.oneOf ?? []).map(({ $ref }) => $ref.replace('#/components/schemas/', ''))
  const types = names.map(name => JSON.stringify(schemas[name]?.properties).match(/"const":"([^"]+)"/)?.[1])
  const shown = Object.entries(eventTypes).flatMap(([type, { feed }]) => (feed === 'audit' ? [] : [type]))
  assert.deepEqual(new Set(types), new Set(shown))
})

it('no type of event is both emitted and to come', () => {
  assert.deepEqual(
    reservedEventTypes.filter(type => type in eventTypes),
    [],
  )
})

function assertBounded(name: string, given: Schema): void {
  const schema = referenced(given)
  const types = [schema.type].flat()
  if (types.includes('string')) {
    const byPattern = schema.pattern !== undefined && !/[*+]|\{\d+,\}/.test(schema.pattern)
    assert.ok(
      schema.enum ?? schema.format ?? schema.maxLength ?? byPattern,
      `${name} may be a text of any length`,
    )
  }
  if (types.includes('array')) assert.ok(schema.maxItems, `${name} may be a list of any length`)
  for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner) assertBounded(name, inner)
  for (const [key, inner] of Object.entries(schema.properties ?? {})) assertBounded(`${name}.${key}`, inner)
}

function assertClosed(name: string, given: Schema): void {
  const schema = referenced(given)
  if ([schema.type].flat().includes('object') && schema.properties)
    assert.equal(schema.additionalProperties, false, name)
  for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner) assertClosed(name, inner)
  for (const [key, inner] of Object.entries(schema.properties ?? {})) assertClosed(`${name}.${key}`, inner)
}
