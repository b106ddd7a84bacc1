import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { T } from '../src/json/type.ts'
import {
  answerSchema,
  inputParts,
  isRequired,
  methodOf,
  mutation,
  pathOf,
  query,
  takesBody,
} from '@wbs/contract/operation'

const common = { summary: 'A thing.', tag: 'Things', problems: [] } as const

const read = query('read_thing', {
  ...common,
  http: 'GET /v1/things/{thing_id}/parts/{part_id}',
  audience: 'anyone',
  input: { thing_id: T.String(), part_id: T.String(), name: T.Optional(T.String()) },
  output: { data: T.String() },
})

const change = mutation('change_thing', {
  ...common,
  http: 'PATCH /v1/things/{thing_id}',
  audience: 'workspace',
  input: { thing_id: T.String(), name: T.String() },
  output: { thing: T.String() },
  status: 200,
  emits: [],
  receipt: { key: 'action_receipt', names: ['action'] },
})

describe('a declaration', () => {
  it('has the method and the path in one string', () => {
    assert.equal(methodOf(read), 'GET')
    assert.equal(pathOf(read), '/v1/things/{thing_id}/parts/{part_id}')
    assert.equal(takesBody(read), false)
    assert.equal(takesBody(change), true)
  })

  it('splits its input into path, query and body', () => {
    const names = (operation: typeof read | typeof change) =>
      Object.fromEntries(Object.entries(inputParts(operation)).map(([part, all]) => [part, Object.keys(all)]))
    assert.deepEqual(names(read), { path: ['thing_id', 'part_id'], query: ['name'], body: [] })
    assert.deepEqual(names(change), { path: ['thing_id'], query: [], body: ['name'] })
  })

  it('tells required parameters from optional ones', () => {
    assert.equal(isRequired(read.input.thing_id), true)
    assert.equal(isRequired(read.input.name), false)
  })

  const keys = (schema: ReturnType<typeof answerSchema>) => Object.keys(schema.properties)

  it('of a query has request_id in its answer, unless it is bare', () => {
    assert.deepEqual(keys(answerSchema(read)), ['data', 'request_id'])
    assert.deepEqual(keys(answerSchema({ ...read, bare: true })), ['data'])
  })

  it('of a mutation has both request ids, the replay flag and, if declared, the receipt', () => {
    assert.deepEqual(keys(answerSchema(change)), [
      'thing',
      'action_receipt',
      'request_id',
      'original_request_id',
      'idempotent_replay',
    ])
    const { receipt: _, ...silent } = change
    assert.deepEqual(keys(answerSchema(silent)), [
      'thing',
      'request_id',
      'original_request_id',
      'idempotent_replay',
    ])
  })
})
