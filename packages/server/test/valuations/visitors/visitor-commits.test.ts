import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { startOtherNode } from '../../harness/other-node.ts'
import { startFaultProxy, type FaultProxy } from '../../harness/postgres/fault-proxy.ts'
import { unfinished } from '../valuation-document.ts'
import { makeVisitorWorld, type VisitorWorld } from './visitor-fixture.ts'

let proxy: FaultProxy
let world: VisitorWorld
before(async () => {
  proxy = await startFaultProxy()
  world = await makeVisitorWorld()
})
after(async () => {
  await world.close()
  await proxy.close()
})

const rowsOf = (valuation_id: string) =>
  world.service.sql('select from visitor_valuations where id = $1', [valuation_id])
const count = async () =>
  (await world.service.sql<{ count: number }>('select count(*)::integer as count from visitor_valuations'))[0]
    ?.count ?? 0

describe('a valuation of a visitor', () => {
  it('whose COMMIT was not confirmed is answered with the token that was committed', async () => {
    await world.made()
    const before = await count()
    proxy.arm({ at: 'S commit', from: 'service', how: 'lose answer' })
    const { status, body } = await world.send(unfinished())
    assert.equal(proxy.struck(), 'S commit')
    assert.equal(status, 201)
    assert.equal(body.idempotent_replay, false)
    assert.equal(body.original_request_id, body.request_id)
    assert.equal((await rowsOf(body.data.valuation_id)).length, 1)
    assert.equal(await count(), before + 1)
    const read = await world.service.request(`/v1/valuations/${body.data.valuation_id}`, {
      headers: { 'svc-claim-token': body.claim_token },
    })
    assert.equal(read.status, 200)
  })

  it('whose COMMIT was lost is made by the second attempt, with a token that fits', async () => {
    await world.made()
    const before = await count()
    proxy.arm({ at: 'S commit', from: 'service', how: 'lose' })
    const { status, body } = await world.send(unfinished())
    assert.equal(proxy.struck(), 'S commit')
    assert.equal(status, 201)
    assert.equal(body.idempotent_replay, false)
    assert.equal(await count(), before + 1)
    const read = await world.service.request(`/v1/valuations/${body.data.valuation_id}`, {
      headers: { 'svc-claim-token': body.claim_token },
    })
    assert.equal(read.status, 200)
  })

  it('whose COMMIT stays unknown is answered 503, and the same request finds its outcome', async () => {
    await world.made()
    const headers = { 'idempotency-key': randomUUID() }
    proxy.arm({ at: 'S commit', from: 'service', how: 'sever' })
    const unknown = assertProblem(await world.send(unfinished(), headers), 'unavailable')
    proxy.mend()
    assert.equal(proxy.struck(), 'S commit')
    assert.match(unknown.detail, /the same Idempotency-Key/)
    const { status, body } = await eventually(async () => {
      const answer = await world.send(unfinished(), headers)
      return answer.status === 503 ? undefined : answer
    })
    assert.equal(status, 201)
    // If it was committed after all, its token went with the lost answer.
    assert.equal(body.claim_token === null, body.idempotent_replay)
    assert.equal((await rowsOf(body.data.valuation_id)).length, 1)
  })

  it('that two nodes are asked for at once is made once, and its token is given once', async () => {
    const other = await startOtherNode(world.service)
    try {
      for (let round = 0; round < 5; round++) {
        const request = {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: JSON.stringify(unfinished()),
        }
        interface Made {
          data: { valuation_id: string }
          claim_token: string | null
          idempotent_replay: boolean
        }
        // On a busy machine, some are told to try again.
        const ask = async (base_url: string): Promise<Made> => {
          const response = await fetch(`${base_url}/v1/valuations`, request)
          const answer = (await response.json()) as Made
          return response.status === 409 || response.status === 503 ? ask(base_url) : answer
        }
        const bases = Array.from({ length: 4 }, () => [world.service.base_url, other.base_url]).flat()
        const answers = await Promise.all(bases.map(ask))
        assert.equal(new Set(answers.map(({ data }) => data.valuation_id)).size, 1)
        assert.equal(answers.filter(one => one.claim_token !== null).length, 1)
        assert.ok(answers.every(one => (one.claim_token === null) === one.idempotent_replay))
      }
    } finally {
      await other.close()
    }
  })
})
