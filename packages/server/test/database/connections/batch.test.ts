import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test'
import type pg from 'pg'
import { sendBatch, type PendingStatement } from '../../../src/database/connections/batch.ts'
import { connectionConfig, openConnection } from '../../../src/database/connections/connection.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

describe('statements in one batch', () => {
  let database: TestDatabase
  let client: pg.Client
  let described: number
  before(async () => void (database = await createTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    client = await openConnection({ ...connectionConfig(database.address, 'svc_reader'), pipeline: true })
    described = 0
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('rowDescription', () => void described++)
  })
  afterEach(() => client.end())

  const numbers = {
    name: 'test_numbers',
    text: `select n, 10 / n as tenth, now() as at from generate_series($1::int, $2::int) n`,
    parameters: ['first', 'last'],
  }
  const word = { name: 'test_word', text: 'select $1::text as word', parameters: ['word'] }

  const valuesOf = async (
    ...statements: Pick<PendingStatement, 'name' | 'text' | 'parameters' | 'values'>[]
  ) => {
    const asked = statements.map(statement => ({
      ...statement,
      ...Promise.withResolvers<object[]>(),
    }))
    sendBatch(client, asked)
    const answers = await Promise.allSettled(asked.map(({ promise }) => promise))
    return answers.map(answer => (answer.status === 'fulfilled' ? answer.value : 'refused'))
  }

  it('are described by PostgreSQL once on each connection, and answered alike each time', async () => {
    for (const time of [1, 2, 3]) {
      const [rows, words] = await valuesOf(
        { ...numbers, values: { first: 1, last: 2 } },
        { ...word, values: { word: `time ${time}` } },
      )
      const [first, second] = rows as { n: number; tenth: number; at: string }[]
      assert.deepEqual([first?.n, first?.tenth, second?.n, second?.tenth], [1, 10, 2, 5])
      assert.match(first?.at ?? '', /^\d{4}-\d\d-\d\dT.*Z$/)
      assert.deepEqual(words, [{ word: `time ${time}` }])
    }
    assert.equal(described, 2)
  })

  it('go out in one write, with all others of the same turn of the event loop', async () => {
    const { stream } = (client as unknown as { connection: { stream: Required<Socket> } }).connection
    const writes = [mock.method(stream, '_write'), mock.method(stream, '_writev')]
    const sent = [
      valuesOf({ ...word, values: { word: 'a' } }, { ...word, values: { word: 'b' } }),
      valuesOf({ ...word, values: { word: 'c' } }),
    ]
    assert.deepEqual(await Promise.all(sent), [[[{ word: 'a' }], [{ word: 'b' }]], [[{ word: 'c' }]]])
    assert.equal(
      writes.reduce((sum, write) => sum + write.mock.callCount(), 0),
      1,
    )
  })

  it('are answered alike where one of them failed before, or finds no rows', async () => {
    const good = { ...numbers, values: { first: 1, last: 1 } }
    const bad = { ...numbers, values: { first: 0, last: 1 } }
    await valuesOf(good, { ...word, values: { word: 'a' } })
    assert.deepEqual(
      await valuesOf({ ...word, values: { word: 'b' } }, bad, { ...word, values: { word: 'c' } }),
      [[{ word: 'b' }], 'refused', 'refused'],
    )
    assert.deepEqual(
      await valuesOf({ ...numbers, values: { first: 2, last: 1 } }, { ...word, values: { word: 'd' } }),
      [[], [{ word: 'd' }]],
    )
    const [rows] = await valuesOf(good)
    assert.equal((rows as { tenth: number }[])[0]?.tenth, 10)
  })

  it('are rejected if one of their values cannot be parsed, and those after them are answered', async () => {
    const at = { name: 'test_at', text: 'select $1::timestamptz as at', parameters: ['at'] }
    assert.deepEqual(
      await valuesOf({ ...at, values: { at: 'infinity' } }, { ...word, values: { word: 'a' } }),
      ['refused', [{ word: 'a' }]],
    )
  })

  it('may have been sent before the first of them was described', async () => {
    const both = await Promise.all([
      valuesOf({ ...word, values: { word: 'a' } }),
      valuesOf({ ...word, values: { word: 'b' } }, { ...word, values: { word: 'c' } }),
    ])
    assert.deepEqual(both, [[[{ word: 'a' }]], [[{ word: 'b' }], [{ word: 'c' }]]])
  })
})
