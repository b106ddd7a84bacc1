import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { mutation } from '@wbs/contract/operation'
import { fingerprint, sortedJson } from '../../../src/call/commands/claim-key.ts'

const declared = {
  summary: 'Nothing.',
  tag: 'Tests',
  audience: 'signed_in',
  input: {},
  output: {},
  status: 200,
  emits: [],
  problems: [],
} as const
const one = mutation('one', { ...declared, http: 'POST /v1/things/{thing_id}' })
const secret = createSecretKey(Buffer.from('a secret'))

describe('a fingerprint', () => {
  const of = (input: object, operation: typeof one = one, key = secret) =>
    fingerprint(key, operation, input).toString('hex')
  const base = of({ thing_id: 'a', name: 'b' })

  it('is the same for the same operation and input, in whatever order its keys came', () => {
    assert.equal(of({ name: 'b', thing_id: 'a' }), base)
    const deep = { x: [{ b: 1, a: { d: 1, c: 2 } }] }
    assert.equal(of(deep), of({ x: [{ a: { c: 2, d: 1 }, b: 1 }] }))
    assert.equal(of({ n: 100 }), of(JSON.parse('{"n":1e2}') as object))
  })

  it('is another for another method or path, though the input is the same', () => {
    const method = mutation('two', { ...declared, http: 'PATCH /v1/things/{thing_id}' })
    const path = mutation('three', { ...declared, http: 'POST /v1/others/{thing_id}' })
    for (const operation of [method, path])
      assert.notEqual(of({ thing_id: 'a', name: 'b' }, operation as unknown as typeof one), base)
  })

  it('is another for every other input', () => {
    const inputs: object[] = [
      {},
      { thing_id: 'a' },
      { thing_id: 'a', name: 'B' },
      { thing_id: 'a', name: 'b ' },
      { thing_id: 'b', name: 'a' },
      { thing_id: 'a', name: 'b', more: null },
      { thing_id: 'a', name: null },
      { thing_id: 'a', name: ['b'] },
      { thing_id: 'a', name: { b: '' } },
      { thing_id: 'a,name:b' },
      { list: [1, 2] },
      { list: [2, 1] },
      { list: ['1', '2'] },
      { text: '\u00e9' },
      { text: 'e\u0301' },
      { text: '\ufb01' },
      { text: 'fi' },
    ]
    assert.equal(new Set([base, ...inputs.map(input => of(input))]).size, inputs.length + 1)
  })

  it('reveals nothing without the secret', () => {
    assert.notEqual(
      of({ thing_id: 'a', name: 'b' }, one, createSecretKey(Buffer.from('another secret'))),
      base,
    )
    assert.equal(base.length, 64)
  })
})

describe('sorted JSON', () => {
  it('sorts the keys of every object, keeps the order of lists, and loses nothing', () => {
    const value = { b: [3, { d: 'x', c: null }], a: { '10': 1, '9': 2, é: true } }
    assert.equal(sortedJson(value), '{"a":{"9":2,"10":1,"é":true},"b":[3,{"c":null,"d":"x"}]}')
    assert.deepEqual(JSON.parse(sortedJson(value)), value)
  })
})
