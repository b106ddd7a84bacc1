import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { searchBusinesses } from '@wbs/contract/businesses/search'
import { createValuation } from '@wbs/contract/valuations/valuations'
import { mutation } from '@wbs/contract/operation'
import { closed, nullable, oneOf, trimmedText, uuid } from '@wbs/contract/schema'
import { T } from '@wbs/contract/json/type'
import { validatorOf } from '../../../src/call/input/validate.ts'

const change = mutation('change_thing', {
  http: 'PATCH /v1/things/{thing_id}',
  summary: 'Change a thing.',
  tag: 'Things',
  audience: 'caller',
  input: {
    thing_id: uuid(),
    owner_id: T.Optional(nullable(uuid())),
    name: T.Optional(trimmedText({ minLength: 1, maxLength: 5 })),
    columns: T.Optional(
      T.Array(
        closed({ name: trimmedText({ minLength: 1, maxLength: 5 }), kind: oneOf(['text', 'number']) }),
        { maxItems: 3 },
      ),
    ),
    count: T.Optional(T.Integer({ minimum: 0 })),
  },
  rules: [{ rule: 'requires', field: 'count', needs: 'name' }],
  output: {},
  status: 200,
  problems: [],
  emits: [],
})

const thing_id = '0190a7a2-0000-7000-8000-00000000000a'
const validateChange = validatorOf(change)
const validateSearch = validatorOf(searchBusinesses)
const withBody = (body: unknown, path = { thing_id }) => validateChange({ path, query: new Map(), body })
const withQuery = (...parameters: [string, string[]][]) =>
  validateSearch({ path: {}, query: new Map(parameters), body: undefined })
const brief = ({
  errors,
}: {
  errors: { in: string; pointer: string; code: string; suggestion?: string }[]
}) =>
  errors.map(({ in: place, pointer, code, suggestion }) => [
    place,
    pointer,
    code,
    ...(suggestion === undefined ? [] : [suggestion]),
  ])

describe('input', () => {
  it('is gathered into one object, without changing what was given', () => {
    const body = Object.freeze({
      name: ' abc ',
      columns: Object.freeze([Object.freeze({ name: ' a ', kind: 'text' })]),
    })
    assert.deepEqual(withBody(body), {
      input: { thing_id, name: 'abc', columns: [{ name: 'a', kind: 'text' }] },
      errors: [],
    })
    assert.equal(body.name, ' abc ')
  })

  it('has its UUIDs in lower case, so that one thing has one name', () => {
    const { input } = withBody({ owner_id: thing_id.toUpperCase() }, { thing_id: thing_id.toUpperCase() })
    assert.deepEqual(input, { thing_id, owner_id: thing_id })
  })

  it('distinguishes null from an absent value', () => {
    assert.deepEqual(withBody({ owner_id: null }).input, { thing_id, owner_id: null })
    assert.deepEqual(withBody({}).input, { thing_id })
    assert.deepEqual(brief(withBody({ name: null })), [['body', '/name', 'type']])
  })

  it('is trimmed in the variant of a union that its tag names', () => {
    const validate = validatorOf(createValuation)
    const { input } = validate({
      path: {},
      query: new Map(),
      body: {
        subject: { type: 'business', name: ' Corner Bakery ' },
        engagement_type: 'indicative',
        purpose: 'sale',
        standard_of_value: 'fair_market_value',
        premise_of_value: 'going_concern',
        level_of_value: 'control_nonmarketable',
        interest: { percent: '100', kind: 'equity' },
        valuation_date: '2026-06-30',
        currency: 'USD',
        inputs: {},
        methods: [{ method: 'sde_multiple', multiple: '2.5', source: ' Broker survey ' }],
      },
    })
    const { subject, methods } = input as { subject: { name: string }; methods: { source: string }[] }
    assert.deepEqual([subject.name, methods[0]?.source], ['Corner Bakery', 'Broker survey'])
  })

  it('is measured in code points, once trimmed', () => {
    assert.deepEqual(withBody({ name: '  😀😀😀😀😀  ' }).errors, [])
    assert.deepEqual(brief(withBody({ name: '😀'.repeat(6) })), [['body', '/name', 'too_long']])
    assert.deepEqual(brief(withBody({ name: ' \t\u00a0 ' })), [['body', '/name', 'too_short']])
  })

  it('is found wrong in every place at once, each with one reason', () => {
    const body = {
      name: 7,
      columns: [
        { name: '', kind: 'txt' },
        { kind: 'number', surplus: 1 },
      ],
      count: -1,
      colums: [],
    }
    const faults = brief(withBody(body, { thing_id: 'x' })).map(fault => fault.join(' '))
    assert.equal(faults.length, 8)
    assert.deepEqual(
      new Set(faults),
      new Set([
        'body /columns/0/kind unknown text',
        'body /columns/0/name too_short',
        'body /columns/1/name required',
        'body /columns/1/surplus unknown',
        'body /colums unknown columns',
        'body /count out_of_range',
        'body /name type',
        'path /thing_id format',
      ]),
    )
  })

  it('is checked against the rules between parameters, in bodies and in queries', () => {
    assert.deepEqual(brief(withBody({ count: 1 })), [['body', '/count', 'requires', 'name']])
    assert.deepEqual(withBody({ count: 1, name: 'a' }).errors, [])
    assert.deepEqual(brief(withQuery(['query', ['abc']], ['name', ['abc']])), [
      ['query', '/name', 'conflict', 'query'],
    ])
    assert.deepEqual(brief(withQuery(['naics_vintage', ['2022']])), [
      ['query', '/naics_vintage', 'requires', 'naics_code'],
    ])
  })

  it('never repeats what was submitted', () => {
    const secret = 'canary-1234'
    for (const body of [
      { name: secret },
      { owner_id: secret },
      { columns: [{ name: 'a', kind: secret }] },
      { count: secret },
      secret,
      [secret],
    ])
      assert.ok(!JSON.stringify(withBody(body).errors).includes(secret))
  })
})

describe('a query parameter', () => {
  const numbers: [text: string, limit: number | undefined][] = [
    ['1', 1],
    ['100', 100],
    ['0', undefined],
    ['101', undefined],
    ['-1', undefined],
    ['1.0', undefined],
    ['1e1', undefined],
    ['0x10', undefined],
    ['010', undefined],
    ['+5', undefined],
    [' 5', undefined],
    ['5 ', undefined],
    ['５', undefined],
    ['99999999999999999999', undefined],
    ['NaN', undefined],
  ]
  for (const [text, limit] of numbers)
    it(`is ${limit === undefined ? 'no number from 1 to 100' : `the number ${limit}`} as '${text}'`, () => {
      const { input, errors } = withQuery(['limit', [text]])
      assert.equal(input['limit'], limit)
      assert.equal(errors.length, limit === undefined ? 1 : 0)
    })

  it('is refused when empty, or repeated without being a list', () => {
    assert.deepEqual(brief(withQuery(['state', ['']])), [['query', '/state', 'too_short']])
    assert.deepEqual(brief(withQuery(['status', ['active', 'active']])), [['query', '/status', 'conflict']])
    assert.deepEqual(brief(withQuery(['fields', ['id', '']])), [['query', '/fields', 'too_short']])
  })

  it('may be a list, by commas or repeated, in which duplicates collapse', () => {
    assert.deepEqual(withQuery(['fields', ['id,name', 'city', 'name']]).input['fields'], [
      'id',
      'name',
      'city',
    ])
    assert.deepEqual(brief(withQuery(['fields', ['id,,name']])), [['query', '/fields/1', 'unknown']])
    assert.deepEqual(brief(withQuery(['fields', ['naame']])), [['query', '/fields/0', 'unknown', 'name']])
  })

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])
    it(`is unknown by the name '${name}'`, () => {
      assert.deepEqual(brief(withQuery([name, ['x']])), [['query', `/${name}`, 'unknown']])
    })
})
