import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Answer, Call } from '../../../src/call/call.ts'
import { createSingleFlight } from '../../../src/call/commands/attempts.ts'
import { scaledSenderLimits, type NodeLimits } from '../../../src/http/bounds/bounds.ts'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../problem-check.ts'
import { sendRaw, lines, type RawAnswer } from '../raw-socket.ts'
import { otherToken, startTransport, token } from '../test-transport.ts'

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

/**
 * A transport whose requests run until they are released; duplicates of a command wait for the first one, as in the
 * service.
 */
async function startBusyTransport(most: Partial<NodeLimits>) {
  const gate = Promise.withResolvers<void>()
  const oneAtATime = createSingleFlight(20_000)
  let working = 0
  const work = async () => {
    working++
    await gate.promise
    return answer
  }
  const run = ({ caller, idempotency_key, waitWithoutSlot }: Call) =>
    idempotency_key === undefined
      ? work()
      : oneAtATime(`${caller?.user_id} ${idempotency_key}`, work, waitWithoutSlot)
  const transport = await startTransport({ run, most })
  const send = (count: number, bytes: () => string): Promise<RawAnswer>[] =>
    Array.from({ length: count }, () => sendRaw(transport.base_url, bytes()))
  return { ...transport, send, letGo: () => gate.resolve(), working: () => working }
}

const statuses = async (answers: Promise<RawAnswer>[]) => [
  ...new Set((await Promise.all(answers)).map(({ status }) => status)),
]

function assertTooMany(refused: RawAnswer, policy: string, base_url: string): void {
  assertProblem(refused, 'rate_limited', base_url)
  assert.deepEqual((JSON.parse(refused.body) as Record<string, unknown>)['violated-policies'], [policy])
  assert.equal(refused.headers['retry-after'], '1')
}

describe('a caller with many requests in flight', () => {
  it('gets 429 for the 33rd request, and other callers do not', async t => {
    const transport = await startBusyTransport(scaledSenderLimits(1))
    t.after(() => (transport.letGo(), transport.close()))
    const open = [...transport.send(16, read), ...transport.send(16, () => change(randomUUID()))]
    await eventually(() => transport.working() === 32)
    assertTooMany(await sendRaw(transport.base_url, read()), 'in_flight', transport.base_url)
    assertTooMany(await sendRaw(transport.base_url, change(randomUUID())), 'in_flight', transport.base_url)
    open.push(...transport.send(1, () => read(otherToken)), ...transport.send(1, () => anonymous))
    await eventually(() => transport.working() === 34)
    transport.letGo()
    assert.deepEqual(await statuses(open), [200])
    assert.deepEqual(await statuses(transport.send(1, read)), [200])
  })

  it('without a credential gets 429 for the 65th request of an address, and a caller with a credential does not', async t => {
    const transport = await startBusyTransport(scaledSenderLimits(1))
    t.after(() => (transport.letGo(), transport.close()))
    const open = transport.send(64, () => anonymous)
    await eventually(() => transport.working() === 64)
    assertTooMany(await sendRaw(transport.base_url, anonymous), 'in_flight', transport.base_url)
    open.push(...transport.send(1, read))
    await eventually(() => transport.working() === 65)
    transport.letGo()
    assert.deepEqual(await statuses(open), [200])
  })

  it('may have more by a larger scale of the rate limits, and not less by a smaller one', () => {
    assert.deepEqual(
      [0.01, 1, 2.1].map(scale => scaledSenderLimits(scale).inFlight),
      [
        { perCaller: 32, perAddress: 64 },
        { perCaller: 32, perAddress: 64 },
        { perCaller: 68, perAddress: 135 },
      ],
    )
  })
})

describe('duplicates of a command that wait for the first one', () => {
  it('count once, take no place, and are all answered', async t => {
    const transport = await startBusyTransport(scaledSenderLimits(1))
    t.after(() => (transport.letGo(), transport.close()))
    const others = transport.send(24, () => change(randomUUID()))
    await eventually(() => transport.working() === 24)
    const key = randomUUID()
    const duplicates = transport.send(64, () => change(key))
    await eventually(() => transport.usage()['waiting'] === 63)
    assert.deepEqual([transport.usage()['in_flight'], transport.usage()['carried_out']], [25, 25])

    others.push(...transport.send(7, () => change(randomUUID())))
    await eventually(() => transport.working() === 32)
    assertTooMany(await sendRaw(transport.base_url, change(randomUUID())), 'in_flight', transport.base_url)
    duplicates.push(...transport.send(1, () => change(key)))
    await eventually(() => transport.usage()['waiting'] === 64)
    transport.letGo()
    assert.deepEqual(await statuses(others), [200])
    // There are fewer slots than duplicates, so some are refused and retry.
    assert.deepEqual(
      (await statuses(duplicates)).filter(status => status !== 503),
      [200],
    )
    await eventually(() => Object.values(transport.usage()).every(count => count === 0))
  })

  it('count towards the waiting requests of their caller', async t => {
    const transport = await startBusyTransport({ waiting: 2 })
    t.after(() => (transport.letGo(), transport.close()))
    const duplicates = transport.send(3, () => change('a key'))
    await eventually(() => transport.usage()['waiting'] === 2)
    assertTooMany(await sendRaw(transport.base_url, change('a key')), 'waiting', transport.base_url)
    transport.letGo()
    assert.deepEqual(await statuses(duplicates), [200])
  })
})
