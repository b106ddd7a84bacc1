import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Answer, Call } from '../../../src/call/call.ts'
import { createInFlight } from '../../../src/call/commands/in-flight.ts'
import { scaledShares, type Most } from '../../../src/http/bounds/bounds.ts'
import { eventually } from '../eventually.ts'
import { assertProblem } from '../problem-check.ts'
import { exchange, lines, type RawAnswer } from '../raw-socket.ts'
import { otherToken, startDoor, token } from '../test-door.ts'

const anonymous = lines('GET /v1/things/1 HTTP/1.1', 'Host: here')
const read = (by = token) => lines('GET /v1/things/1 HTTP/1.1', 'Host: here', `Authorization: Bearer ${by}`)
const change = (key: string, by = token) =>
  `${lines(
    'POST /v1/things/1 HTTP/1.1',
    'Host: here',
    `Authorization: Bearer ${by}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
    'Content-Length: 2',
  )}{}`
const answer: Answer = {
  status: 200,
  body: { input: {}, request_id: '', original_request_id: '', idempotent_replay: false },
  replay: false,
}

/** A door whose requests are under way until they are let go; duplicates of a command wait for the first one, as in the service. */
async function startBusyDoor(most: Partial<Most>) {
  const gate = Promise.withResolvers<void>()
  const oneAtATime = createInFlight(20_000)
  let working = 0
  const work = async () => {
    working++
    await gate.promise
    return answer
  }
  const run = ({ caller, idempotency_key, aside }: Call) =>
    idempotency_key === undefined ? work() : oneAtATime(`${caller?.user_id} ${idempotency_key}`, work, aside)
  const door = await startDoor({ run, most })
  const send = (count: number, bytes: () => string): Promise<RawAnswer>[] =>
    Array.from({ length: count }, () => exchange(door.base_url, bytes()))
  return { ...door, send, letGo: () => gate.resolve(), working: () => working }
}

const statuses = async (answers: Promise<RawAnswer>[]) => [
  ...new Set((await Promise.all(answers)).map(({ status }) => status)),
]

function assertTooMany(refused: RawAnswer, policy: string, base_url: string): void {
  assertProblem(refused, 'rate_limited', base_url)
  assert.deepEqual((JSON.parse(refused.body) as Record<string, unknown>)['violated-policies'], [policy])
  assert.equal(refused.headers['retry-after'], '1')
}

describe('who has much in flight', () => {
  it('gets 429 for the 33rd request, and nobody else does', async t => {
    const door = await startBusyDoor(scaledShares(1))
    t.after(() => (door.letGo(), door.close()))
    const open = [...door.send(16, read), ...door.send(16, () => change(randomUUID()))]
    await eventually(() => door.working() === 32)
    assertTooMany(await exchange(door.base_url, read()), 'in_flight', door.base_url)
    assertTooMany(await exchange(door.base_url, change(randomUUID())), 'in_flight', door.base_url)
    open.push(...door.send(1, () => read(otherToken)), ...door.send(1, () => anonymous))
    await eventually(() => door.working() === 34)
    door.letGo()
    assert.deepEqual(await statuses(open), [200])
    assert.deepEqual(await statuses(door.send(1, read)), [200])
  })

  it('without a credential gets 429 for the 65th request of an address, and who has one does not', async t => {
    const door = await startBusyDoor(scaledShares(1))
    t.after(() => (door.letGo(), door.close()))
    const open = door.send(64, () => anonymous)
    await eventually(() => door.working() === 64)
    assertTooMany(await exchange(door.base_url, anonymous), 'in_flight', door.base_url)
    open.push(...door.send(1, read))
    await eventually(() => door.working() === 65)
    door.letGo()
    assert.deepEqual(await statuses(open), [200])
  })

  it('may have more by a larger scale of the rate limits, and not less by a smaller one', () => {
    assert.deepEqual(
      [0.01, 1, 2.1].map(scale => scaledShares(scale).inFlight),
      [
        { ofCaller: 32, ofAddress: 64 },
        { ofCaller: 32, ofAddress: 64 },
        { ofCaller: 68, ofAddress: 135 },
      ],
    )
  })
})

describe('duplicates of a command that wait for the first one', () => {
  it('count once, take no place, and are all answered', async t => {
    const door = await startBusyDoor(scaledShares(1))
    t.after(() => (door.letGo(), door.close()))
    const others = door.send(24, () => change(randomUUID()))
    await eventually(() => door.working() === 24)
    const key = randomUUID()
    const duplicates = door.send(64, () => change(key))
    await eventually(() => door.held()['waiting'] === 63)
    assert.deepEqual([door.held()['in_flight'], door.held()['carried_out']], [25, 25])

    others.push(...door.send(7, () => change(randomUUID())))
    await eventually(() => door.working() === 32)
    assertTooMany(await exchange(door.base_url, change(randomUUID())), 'in_flight', door.base_url)
    duplicates.push(...door.send(1, () => change(key)))
    await eventually(() => door.held()['waiting'] === 64)
    door.letGo()
    assert.deepEqual(await statuses(others), [200])
    // There are fewer places than duplicates; who finds none comes again.
    assert.deepEqual(
      (await statuses(duplicates)).filter(status => status !== 503),
      [200],
    )
    await eventually(() => Object.values(door.held()).every(count => count === 0))
  })

  it('may be no more than a caller may have waiting', async t => {
    const door = await startBusyDoor({ waiting: 2 })
    t.after(() => (door.letGo(), door.close()))
    const duplicates = door.send(3, () => change('a key'))
    await eventually(() => door.held()['waiting'] === 2)
    assertTooMany(await exchange(door.base_url, change('a key')), 'waiting', door.base_url)
    door.letGo()
    assert.deepEqual(await statuses(duplicates), [200])
  })
})
