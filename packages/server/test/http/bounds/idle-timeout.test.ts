import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'node:test'
import type { Answer, Call } from '../../../src/call/call.ts'
import { unavailable } from '../../../src/call/problem.ts'
import { startTransport, token } from '../test-transport.ts'

const answer: Answer = {
  status: 201,
  body: { input: {}, request_id: '', original_request_id: '', idempotent_replay: false },
  replay: false,
}
const idleTimeout = 300

/** What a change is answered that runs like this, on connections that may be idle for 300 ms. */
async function answered(t: { after(close: () => unknown): void }, run: (call: Call) => Promise<Answer>) {
  const transport = await startTransport({ run, idleTimeout })
  t.after(() => transport.close())
  return fetch(`${transport.base_url}/v1/texts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'a-key-of-this-test',
    },
    body: '{"note": "A text"}',
  })
}

describe('a request that waits for something longer than its connection may be idle', () => {
  it('is answered when that has ended', async t => {
    const { status } = await answered(t, async ({ waitWithoutSlot }) => {
      await waitWithoutSlot?.(() => sleep(3 * idleTimeout))
      return answer
    })
    assert.equal(status, 201)
  })

  it('is told that it took too long', async t => {
    const { status } = await answered(t, async ({ waitWithoutSlot }) => {
      await waitWithoutSlot?.(() => sleep(3 * idleTimeout))
      throw unavailable('The store did not answer in time.')
    })
    assert.equal(status, 503)
  })

  it('has its timeout again afterwards', async t => {
    const request = answered(t, async ({ waitWithoutSlot }) => {
      await waitWithoutSlot?.(() => sleep(idleTimeout / 2))
      await sleep(3 * idleTimeout)
      return answer
    })
    await assert.rejects(request, /fetch failed/)
  })
})
