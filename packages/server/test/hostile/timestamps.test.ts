import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inputParts, takesBody, type Operation } from '@wbs/contract/operation'
import { components, referenced } from '@wbs/contract/schema'
import { validatorOf } from '../../src/call/input/validate.ts'
import { readQueryString } from '../../src/http/requests/query-string.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { performerOf } from '../operations/performing.ts'
import { operations, samples, type NamedOperation } from '../operations/samples.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'
import { callOperation, onTheWire, type Input } from '../operations/wire.ts'

interface Schema {
  format?: string
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string }
  enum?: string[]
  items?: Schema
  properties?: Record<string, Schema>
}

/**
 * The paths in the input of an operation that lead to text of a format. For a list, its first item; for one of several objects, a
 * step such as `?method=liquidation`, which makes it that one.
 */
function placesOf(given: Schema, format: string, path: string[] = []): string[][] {
  const schema = referenced(given)
  if (schema.format === format) return [path]
  const tag = schema.discriminator?.propertyName ?? ''
  return [
    ...(schema.anyOf ?? []).flatMap(one => placesOf(one, format, path)),
    ...(schema.oneOf ?? []).flatMap(one =>
      placesOf(one, format, [...path, `?${tag}=${referenced(one).properties?.[tag]?.enum?.[0]}`]),
    ),
    ...(schema.items ? placesOf(schema.items, format, [...path, '0']) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      placesOf(one, format, [...path, name]),
    ),
  ]
}

/** How often the input of an operation names a format, in whatever keyword. */
const mentions = (operation: Operation, format: string): number =>
  JSON.stringify(operation.input, (key, value: unknown) =>
    key === '$ref' ? components.get(String(value).split('/').at(-1) ?? '') : value,
  ).split(`"format":"${format}"`).length - 1

const withValue = (input: unknown, [at, ...rest]: string[], value: string): unknown => {
  if (at === undefined) return value
  if (at.startsWith('?')) {
    const [tag = '', named] = at.slice(1).split('=')
    return withValue({ ...(input as object), [tag]: named }, rest, value)
  }
  if (at === '0' && !(typeof input === 'object' && input !== null && '0' in input))
    return [withValue({}, rest, value)]
  const inner = (input as Record<string, unknown> | undefined)?.[at]
  if (Array.isArray(input)) return [withValue(inner, rest, value), ...input.slice(1)]
  return { ...(input as object), [at]: withValue(inner, rest, value) }
}

const never = {
  'date-time': [
    '9999-12-31T23:59:59-23:59',
    '9999-12-31T23:59:59.999-00:01',
    '9999-12-31T23:59:60Z',
    '9999-12-31T23:59:60.999Z',
    '0000-01-01T00:00:00Z',
    '0000-12-31T23:59:59-00:00',
    '0001-01-01T00:00:00+23:59',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2031-02-30T00:00:00Z',
    '2031-05-01T24:00:00Z',
    '2031-05-01T12:00:60Z',
    '2031-05-01T12:00:00+24:00',
    '2031-05-01T12:00:00+23:60',
    '2031-05-01T12:00:00',
    '2031-05-01',
    '2031-05-01T12:00:00Z BC',
    'infinity',
    'now',
    '',
  ],
  date: [
    '0000-01-01',
    '0000-02-29',
    '2031-02-29',
    '2031-00-10',
    '10000-01-01',
    '+010000-01-01',
    '2031-05-01T00:00:00Z',
    '2031-05-01 BC',
    'infinity',
    'today',
    '',
  ],
} as const

/** These are valid; what an operation requires of them beyond that is its own. */
const always = {
  'date-time': [
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59.999999999Z',
    '9999-12-31T23:59:59.9996+00:00',
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00-23:59',
    '2016-12-31T23:59:60Z',
    '2031-06-30T23:59:60.999Z',
    '2031-05-01t12:00:00z',
    '2031-05-01 12:00:00Z',
    '2031-05-01T12:00:00-00:00',
    '2031-05-01T12:00:00.123456789+23:59',
  ],
  date: ['0001-01-01', '2028-02-29', '9999-12-31'],
} as const

const fitting = { 'date-time': '2031-05-01T12:00:00Z', date: '2020-05-01' } as const

/** The errors of an input at a place. The form of a request is checked before anything is done, so no request is sent. */
function errorsOf(operation: NamedOperation) {
  const validate = validatorOf(operation)
  const inPath = inputParts(operation).path
  return (input: Input, pointer: string) => {
    const { search, body } = onTheWire(operation, input)
    const path = Object.fromEntries(Object.keys(inPath).map(name => [name, String(input[name])]))
    const given: unknown = body === undefined ? undefined : JSON.parse(body)
    const { errors } = validate({ path, query: readQueryString(search), body: given })
    return errors.filter(error => error.pointer === pointer)
  }
}

describe('every operation with a timestamp or a date', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  async function answerTo(operation: NamedOperation, place: string[], value: string) {
    const sample = await samples[operation.name].input(world)
    const input = withValue(sample, place, value) as Input
    const { status, body } = await callOperation(service, operation, input, {
      authorization: `Bearer ${performerOf(world, operation).token}`,
      ...(operation.audience === 'workspace' && { 'svc-workspace-id': world.workspace_id }),
    })
    await restore(world)
    return {
      status,
      told: `${operation.name} ${place.join('/')} ${value}: ${status} ${JSON.stringify(body)}`,
    }
  }

  for (const format of ['date-time', 'date'] as const)
    for (const operation of operations) {
      const places = placesOf({ properties: operation.input }, format)
      if (mentions(operation, format) === 0) continue
      it(`${operation.name} takes every ${format} that there is, and refuses every other`, async () => {
        assert.equal(
          places.length,
          mentions(operation, format),
          'Here is a way to one that this test does not know.',
        )
        const sample = await samples[operation.name].input(world)
        const errorsAt = errorsOf(operation)
        for (const place of places) {
          const pointer = `/${place.filter(step => !step.startsWith('?')).join('/')}`
          for (const value of never[format]) {
            const [error] = errorsAt(withValue(sample, place, value) as Input, pointer)
            assert.equal(error?.in, takesBody(operation) ? 'body' : 'query', `${pointer} ${value}`)
            assert.match(
              error?.code ?? '',
              /^(format|out_of_range|too_short|too_long)$/,
              `${pointer} ${value}`,
            )
          }
          const [error] = errorsAt(withValue(sample, place, fitting[format]) as Input, pointer)
          assert.notEqual(error?.code, 'format', pointer)
          for (const value of always[format]) {
            const { status, told } = await answerTo(operation, place, value)
            assert.ok(status < 500, told)
          }
        }
      })
    }
})
