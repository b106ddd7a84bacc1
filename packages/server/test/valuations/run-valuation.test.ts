import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { bakery, unfinished, withLoss } from './valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

describe('running a draft', () => {
  it('completes it with a new revision, and says so in its receipt and event', async () => {
    const { valuation_id } = await world.draft()
    const { data, receipt } = await member().runValuation({ valuation_id, expected_revision: 1 })
    assert.deepEqual([data.status, data.revision], ['completed', 2])
    assert.equal(data.completed_at, data.updated_at)
    assert.deepEqual(receipt?.changed, ['status', 'result'])
    assert.deepEqual((await member().getValuation({ valuation_id })).data, data)
    const history = await world.historyOf(valuation_id)
    assert.deepEqual(
      history.map(one => one.type),
      ['valuation.created', 'valuation.completed'],
    )
  })

  it('gives what creating it with run gives', async () => {
    const { valuation_id } = await world.draft()
    const { data } = await member().runValuation({ valuation_id, expected_revision: 1 })
    assert.deepEqual(data.result, (await world.completed()).result)
  })

  it('records the seed: the same seed gives the same result, another one another range', async () => {
    const run = async (seed?: number) => {
      const { valuation_id } = await world.draft()
      const named = { valuation_id, expected_revision: 1, ...(seed !== undefined && { seed }) }
      const { result } = (await member().runValuation(named)).data
      return result ?? assert.fail('It has no result.')
    }
    const [first, again, other, largest] = [await run(7), await run(7), await run(8), await run(2 ** 53 - 1)]
    assert.deepEqual([first.engine.seed, largest.engine.seed], [7, 2 ** 53 - 1])
    assert.equal(first.engine.result_hash, again.engine.result_hash)
    assert.notEqual(first.engine.result_hash, other.engine.result_hash)
    assert.equal(first.engine.input_hash, other.engine.input_hash)
    assert.deepEqual(first.conclusion.point, other.conclusion.point)
    for (const seed of [-1, 2 ** 53, 1.5]) await refused(run(seed), 'validation_error')
  })

  it('is refused for a completed one, and for a stale revision', async () => {
    const { valuation_id } = await world.completed()
    const { current_status } = await refused(
      member().runValuation({ valuation_id, expected_revision: 9 }),
      'state_conflict',
    )
    assert.equal(current_status, 'completed')
    const draft = await world.draft()
    const stale = await refused(
      member().runValuation({ valuation_id: draft.valuation_id, expected_revision: 2 }),
      'revision_conflict',
    )
    assert.deepEqual([stale.expected, stale.current], [2, 1])
  })

  it('that lacks evidence names what is missing, as reading it does, and leaves the draft as it was', async () => {
    const draft = await world.draft({ purpose: 'litigation' })
    const { valuation_id } = draft
    const { missing_evidence } = await refused(
      member().runValuation({ valuation_id, expected_revision: 1 }),
      'evidence_required',
    )
    assert.deepEqual(missing_evidence, draft.missing_evidence)
    assert.ok(missing_evidence.some(one => one.code === 'signatory'))
    assert.deepEqual((await member().getValuation({ valuation_id })).data, draft)
    assert.equal((await world.historyOf(valuation_id)).length, 1)
  })

  it('that has no methods, or none that applies, is refused and leaves the draft', async () => {
    for (const document of [unfinished(), withLoss()]) {
      const { valuation_id } = (await member().createValuation(document)).data
      await refused(member().runValuation({ valuation_id, expected_revision: 1 }), 'unprocessable_content')
      assert.equal((await member().getValuation({ valuation_id })).data.status, 'draft')
    }
  })

  it('that names a Business which the Workspace cannot see any more is not found, until it names it no more', async () => {
    const business_id = await addBusiness(world.service, { name: 'Ours', publication_status: 'draft' })
    await world.service.link(world.workspace_id, business_id, world.people.owner)
    const { valuation_id } = await world.draft({ business_id })
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    await refused(member().runValuation({ valuation_id, expected_revision: 1 }), 'not_found')
    assert.equal((await member().getValuation({ valuation_id })).data.business_id, business_id)
    await member().updateValuation({ valuation_id, expected_revision: 1, business_id: null })
    const { data } = await member().runValuation({ valuation_id, expected_revision: 2 })
    assert.equal(data.status, 'completed')
  })
})

describe('running a draft at once', () => {
  it('sixteen times completes it once, with one result and one event', async () => {
    const { valuation_id } = await world.draft()
    const runs = await Promise.allSettled(
      Array.from({ length: 16 }, (_, seed) =>
        member().runValuation({ valuation_id, expected_revision: 1, seed }),
      ),
    )
    const [first, ...others] = runs.filter(one => one.status === 'fulfilled')
    assert.ok(first && others.length === 0)
    for (const one of runs)
      if (one.status === 'rejected') assert.ok(isProblem(one.reason, 'state_conflict'), String(one.reason))
    const { data } = await member().getValuation({ valuation_id })
    assert.deepEqual(data, first.value.data)
    const types = (await world.historyOf(valuation_id)).map(one => one.type)
    assert.deepEqual(types, ['valuation.created', 'valuation.completed'])
  })

  it('sixteen times with one Idempotency-Key answers the same each time', async () => {
    const { valuation_id } = await world.draft()
    const key = { idempotency_key: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        member().runValuation({ valuation_id, expected_revision: 1, seed: 7 }, key),
      ),
    )
    assert.equal(answers.filter(one => !one.idempotent_replay).length, 1)
    for (const { data } of answers) assert.deepEqual(data, answers[0]?.data)
  })

  it('as it is updated runs the old document or the new one, or is refused, and never mixes them', async () => {
    const old = (await world.completed()).result?.conclusion
    const changes = { methods: bakery().methods?.slice(0, 1), weights: null }
    const fresh = (await world.completed({ ...changes, weights: undefined })).result?.conclusion
    assert.notDeepEqual(old, fresh)
    for (let round = 0; round < 8; round++) {
      const { valuation_id } = await world.draft()
      const named = { valuation_id, expected_revision: 1 }
      const [run, update] = await Promise.allSettled([
        member().runValuation(named),
        member().updateValuation({ ...named, ...changes }),
      ])
      const { data } = await member().getValuation({ valuation_id })
      assert.ok((run.status === 'fulfilled') !== (update.status === 'fulfilled'), run.status)
      assert.deepEqual(data.conclusion, run.status === 'fulfilled' ? old : null)
      assert.equal(data.methods.length, update.status === 'fulfilled' ? 1 : 2)
    }
  })
})
