import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createHeldEngine } from './held-engine.ts'
import { eventually } from '../harness/eventually.ts'
import { refused } from '../harness/refused.ts'
import { lastingTransactions } from '../harness/transactions/lasting-transactions.ts'
import { bakery } from './valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from './valuation-fixture.ts'

const held = createHeldEngine()
let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld({ engine: held.engine })
})
after(() => world.close())
const member = () => world.client('member')
const owner = () => world.client('owner')

/** How many orders the engine gets for what `ask` does. */
async function ordersOf(ask: () => Promise<unknown>): Promise<number> {
  const before = held.begun()
  await ask()
  return held.begun() - before
}

/** A draft, and what its Business is called. */
async function draftOfBusiness() {
  const business_id = await world.business()
  const { valuation_id } = await world.draft({ subject: { type: 'business', id: business_id } })
  return {
    valuation_id,
    run: () => withoutRepeating().runValuation({ valuation_id, expected_revision: 1 }),
    rename: () =>
      world.service.sql('update businesses set name = $2 where id = $1', [business_id, randomUUID()]),
  }
}

const withoutRepeating = () =>
  world.service.client({
    access_token: world.people.member.token,
    workspace_id: world.workspace_id,
    attempts: 1,
  })

/** Each kind of change that needs the engine, on a draft of its own. */
const changes: Record<string, () => Promise<() => Promise<{ data: { valuation_id: string } }>>> = {
  async creating() {
    return () => member().createValuation(bakery({ run: true }))
  },
  async updating() {
    const { valuation_id } = await world.draft()
    return () => member().updateValuation({ valuation_id, expected_revision: 1, purpose: 'planning' })
  },
  async running() {
    const { valuation_id } = await world.draft()
    return () => member().runValuation({ valuation_id, expected_revision: 1 })
  },
  async revising() {
    const { valuation_id } = await world.completed()
    return () => member().reviseValuation({ valuation_id, expected_revision: 1, purpose: 'planning' })
  },
  async 'creating as a visitor'() {
    return () => world.service.anonymous.createValuation(bakery({ run: true }))
  },
}

describe('while the engine computes', () => {
  for (const [kind, prepare] of Object.entries(changes))
    it(`no transaction is open: ${kind}`, async () => {
      const { data } = await held.whileComputing(await prepare(), async () =>
        assert.deepEqual(await lastingTransactions(world.service), []),
      )
      assert.ok(data.valuation_id)
    })

  it('a member can be removed at once, and their valuation is then refused', async () => {
    const leaving = world.service.person('Lea')
    const membership_id = await world.service.join(world.workspace_id, leaving, 'member')
    const before = await world.service.sql('select from valuations')
    const answer = held.whileComputing(
      () => world.as(leaving).createValuation(bakery({ run: true })),
      () => owner().removeMembership({ membership_id }),
    )
    await refused(answer, 'forbidden')
    assert.deepEqual(await world.service.sql('select from valuations'), before)
  })

  it('others can change the draft, and the revision is then refused as stale', async () => {
    const { valuation_id } = await world.draft()
    const answer = held.whileComputing(
      () => member().runValuation({ valuation_id, expected_revision: 1 }),
      () => world.service.sql('update valuations set revision = 2 where id = $1', [valuation_id]),
    )
    await refused(answer, 'revision_conflict')
  })

  it('what the draft names can change, and it is then computed again', async () => {
    const { run, rename } = await draftOfBusiness()
    const orders = await ordersOf(async () => {
      const { data } = await held.whileComputing(run, rename)
      assert.equal(data.status, 'completed')
    })
    assert.equal(orders, 2)
  })

  it('what the draft names can change each time, and it is then refused as unavailable', async () => {
    const { run, rename, valuation_id } = await draftOfBusiness()
    held.beforeEach(rename)
    const orders = await ordersOf(() => refused(run(), 'unavailable')).finally(() =>
      held.beforeEach(async () => undefined),
    )
    assert.equal(orders, 4)
    assert.equal((await member().getValuation({ valuation_id })).data.status, 'draft')
  })
})

describe('the engine computes nothing', () => {
  it('for a request with a key that was used', async () => {
    const idempotency_key = randomUUID()
    const { valuation_id } = await world.draft()
    const run = (seed?: number) =>
      member().runValuation(
        { valuation_id, expected_revision: 1, ...(seed !== undefined && { seed }) },
        { idempotency_key },
      )
    assert.equal(await ordersOf(run), 1)
    const orders = await ordersOf(async () => {
      assert.equal((await run()).idempotent_replay, true)
      await refused(run(7), 'idempotency_key_reused')
    })
    assert.equal(orders, 0)
  })

  it('for a visitor whose request was sent before', async () => {
    const idempotency_key = randomUUID()
    const create = () => world.service.anonymous.createValuation(bakery({ run: true }), { idempotency_key })
    assert.equal(await ordersOf(create), 1)
    assert.equal(await ordersOf(create), 0)
  })

  it('for a change that is refused anyway', async () => {
    const [draft, completed] = [await world.draft(), await world.completed()]
    const { valuation_id } = draft
    const orders = await ordersOf(async () => {
      const hidden = { valuation_id: `val_${'0'.repeat(32)}`, expected_revision: 1 }
      await refused(member().runValuation(hidden), 'not_found')
      await refused(world.client('viewer').runValuation({ valuation_id, expected_revision: 1 }), 'forbidden')
      await refused(
        member().runValuation({ valuation_id: completed.valuation_id, expected_revision: 1 }),
        'state_conflict',
      )
      await refused(member().runValuation({ valuation_id, expected_revision: 9 }), 'revision_conflict')
    })
    assert.equal(orders, 0)
  })
})

describe('a client that disconnects', () => {
  const send = (client: AbortController, name: string) =>
    world.service.request('/v1/valuations', {
      method: 'POST',
      token: world.people.member.token,
      signal: client.signal,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        'svc-workspace-id': world.workspace_id,
      },
      body: JSON.stringify(bakery({ subject: { type: 'business', name }, run: true })),
    })
  const made = async (name: string) =>
    (await world.service.sql(`select from valuations where summary -> 'subject' ->> 'name' = $1`, [name]))
      .length

  it('takes its order out of the queue of the engine, and changes nothing', async () => {
    const orders = await ordersOf(() =>
      held.whileComputing(
        () => member().createValuation(bakery({ run: true })),
        async () => {
          const client = new AbortController()
          const answer = send(client, 'Dropped Bakery')
          await eventually(async () => (held.waiting() === 1 ? true : undefined))
          client.abort()
          await assert.rejects(answer)
          await eventually(async () => (held.waiting() === 0 ? true : undefined))
        },
      ),
    )
    assert.equal(orders, 1)
    assert.equal(await made('Dropped Bakery'), 0)
  })

  it('leaves alone what the engine has begun: the change is made', async () => {
    const client = new AbortController()
    const answer = held.whileComputing(
      () => send(client, 'Begun Bakery'),
      async () => client.abort(),
    )
    await assert.rejects(answer)
    await eventually(async () => ((await made('Begun Bakery')) === 1 ? true : undefined))
  })
})
