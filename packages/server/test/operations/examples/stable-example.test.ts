import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { mintApiKey, readApiKey } from '../../../src/identity/api-key-format.ts'
import { shapeOf } from './shape.ts'
import { shortExample } from './short-example.ts'
import { stableExample } from './stable-example.ts'

const ranAt = Date.now()
const stable = <Example>(example: Example, known = new Map<string, string>()) =>
  stableExample(example, { known, ranAt })

/** What a run may answer; every call has other values. */
function answerOfARun() {
  const room_id = newId('rom')
  const workspace_id = randomUUID()
  return {
    room_id,
    workspace_id,
    other_room_id: newId('rom'),
    url: `http://127.0.0.1:${1024 + Math.floor(Math.random() * 60_000)}/v1/rooms/${room_id}`,
    created_at: new Date(ranAt + 1).toISOString(),
    email: `zoe-${randomUUID().slice(0, 8)}@example.com`,
    values: { [workspace_id]: [{ id: room_id }] },
    secret: mintApiKey('test').secret,
  }
}

describe('an example', () => {
  it('is the same in each run', () => {
    assert.deepEqual(stable(answerOfARun()), stable(answerOfARun()))
  })

  it('tells a time of the run in the same way if it falls on a whole second', () => {
    const minute = new Date(Math.ceil(ranAt / 60_000) * 60_000).toISOString()
    const second = new Date(Math.floor(ranAt / 1000) * 1000).toISOString()
    assert.deepEqual(stable([minute, second]), Array(2).fill(stable(answerOfARun()).created_at))
  })

  it('has one value for one value, others for others, and the form of each', () => {
    const { room_id, other_room_id, workspace_id, url, values, email } = stable(answerOfARun())
    assert.notEqual(room_id, other_room_id)
    assert.match(room_id, /^rom_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    assert.equal(url, `https://business.example.com/v1/rooms/${room_id}`)
    assert.deepEqual(values, { [workspace_id]: [{ id: room_id }] })
    assert.equal(email, 'zoe@example.com')
  })

  it('has no secret that works', () => {
    const { secret } = stable(answerOfARun())
    assert.match(secret, /^svc_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    assert.equal(readApiKey(secret), null)
  })

  it('keeps what the sample says', () => {
    const said = { due_at: '2027-01-31T16:00:00.000Z', valuation_date: '2026-06-30', title: 'Send the lease' }
    assert.deepEqual(stable(said), said)
  })

  it('has the first items of its arrays', () => {
    const rows = Array.from({ length: 9 }, (_, id) => ({ id, tags: ['a', 'b', 'c', 'd', 'e', 'f'] }))
    assert.deepEqual(shortExample({ rows }), { rows: [0, 1].map(id => ({ id, tags: ['a', 'b', 'c', 'd'] })) })
  })
})

describe('the shape of an example', () => {
  const answer = { id: 'a', count: 1, list: [{ name: null }] }
  it('is that of other values of the same types, in any order of keys', () => {
    assert.deepEqual(shapeOf({ list: [{ name: null }], count: 2, id: 'b' }), shapeOf(answer))
  })
  for (const [what, other] of [
    ['another key', { ...answer, more: 1 }],
    ['no value', { ...answer, id: null }],
    ['another type', { ...answer, count: '1' }],
    ['another item', { ...answer, list: [{ title: null }] }],
    ['no item', { ...answer, list: [] }],
  ] as const)
    it(`differs with ${what}`, () => assert.notDeepEqual(shapeOf(other), shapeOf(answer)))
})
