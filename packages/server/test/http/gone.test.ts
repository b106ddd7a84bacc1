import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call } from '../../src/call/call.ts'
import type { Listener } from '../../src/call/stream-item.ts'
import { eventually } from '../harness/eventually.ts'
import { lines, rawConnection } from './raw-socket.ts'
import { startTransport, token } from './test-transport.ts'

const authorization = `Authorization: Bearer ${token}`
const requests: Record<string, () => string> = {
  stream: () => lines('GET /v1/things HTTP/1.1', 'Host: here', authorization),
  'several streams at once': () => lines('GET /v1/things HTTP/1.1', 'Host: here', authorization).repeat(3),
  read: () => lines('GET /v1/things/1 HTTP/1.1', 'Host: here', authorization),
  change: () => `${post(2)}{}`,
  'half a change': () => `${post(2)}{`,
  'half a large change': () => `${post(60_001)}${' '.repeat(60_000)}`,
}
const post = (length: number) =>
  lines(
    'POST /v1/things/1 HTTP/1.1',
    'Host: here',
    authorization,
    `Idempotency-Key: ${randomUUID()}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  )

/** A transport that can be paused before it identifies the sender, and before it answers. */
async function startSlowTransport() {
  const state = {
    identity: Promise.resolve(),
    work: Promise.resolve(),
    identified: 0,
    worked: 0,
    streaming: 0,
  }
  async function run({ wait }: Call, operation: string): Promise<Answer> {
    state.worked++
    await state.work
    if (operation !== 'watch_things')
      return {
        status: 200,
        body: { input: {}, request_id: '', original_request_id: '', idempotent_replay: false },
        replay: false,
      }
    wait?.begin()
    async function stream(listener: Listener) {
      state.streaming++
      try {
        listener.send([{ position: '1' }])
        while (!wait?.signal.aborted) await sleep(5)
      } finally {
        state.streaming--
      }
    }
    return { status: 200, body: {}, stream, replay: false }
  }
  const transport = await startTransport({
    run,
    most: { waiting: 20, inFlight: { perCaller: 20, perAddress: 20 } },
    beforeIdentity: () => (state.identified++, state.identity),
  })
  return { ...transport, state }
}

type SlowTransport = Awaited<ReturnType<typeof startSlowTransport>>

interface Clients {
  /** Sends their requests. */
  send(): void
  /** Resolves when the service has noticed. */
  hangUp(): Promise<void>
}

/** The moments at which clients disconnect. */
const moments: Record<string, (transport: SlowTransport, clients: Clients) => Promise<void>> = {
  'at once': async (_transport, { send, hangUp }) => {
    send()
    await hangUp()
  },
  'while it is found out who they are': async ({ state }, { send, hangUp }) => {
    const gate = Promise.withResolvers<void>()
    state.identity = gate.promise
    send()
    await eventually(() => state.identified > 0)
    await hangUp()
    gate.resolve()
  },
  'while their requests are carried out': async ({ state }, { send, hangUp }) => {
    const gate = Promise.withResolvers<void>()
    state.work = gate.promise
    send()
    // An incomplete request never gets that far.
    for (let tries = 0; tries < 20 && state.worked === 0; tries++) await sleep(5)
    await hangUp()
    gate.resolve()
  },
  'a little later': async (_transport, { send, hangUp }) => {
    send()
    await sleep(20)
    await hangUp()
  },
}

const isAllGivenBack = (transport: SlowTransport) =>
  transport.state.streaming === 0 && Object.values(transport.usage()).every(count => count === 0)

describe('everything that was taken for clients that disconnect is given back', () => {
  for (const [moment, during] of Object.entries(moments))
    for (const [what, bytes] of Object.entries(requests))
      it(`${moment}: ${what}, 66 times`, async t => {
        const transport = await startSlowTransport()
        t.after(() => transport.close())
        for (let round = 0; round < 6; round++) {
          transport.state.identified = transport.state.worked = 0
          const clients = await Promise.all(
            Array.from({ length: 11 }, () => rawConnection(transport.base_url)),
          )
          await during(transport, {
            send: () => clients.forEach(client => client.write(bytes())),
            async hangUp() {
              for (const client of clients) client.destroy()
              await eventually(async () => (await transport.connections()) === 0)
            },
          })
        }
        await eventually(() => isAllGivenBack(transport))

        const stream = await fetch(`${transport.base_url}/v1/things`, {
          headers: { authorization: `Bearer ${token}` },
        })
        assert.equal(stream.status, 200)
        await stream.body?.cancel()
        await eventually(() => isAllGivenBack(transport))
      })
})
