import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../harness/refused.ts'
import { bakery, type NewValuation } from './valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

describe('updating a draft', () => {
  it('replaces each field that is sent as a whole, and keeps the others', async () => {
    const { valuation_id, ...draft } = await world.draft()
    const inputs = { periods: bakery().inputs.periods ?? [] }
    const { data, receipt } = await member().updateValuation({
      valuation_id,
      expected_revision: 1,
      purpose: 'planning',
      subject: { type: 'business', name: 'Corner Bakery of Ohio' },
      inputs,
    })
    assert.deepEqual(
      { ...data, updated_at: '' },
      {
        ...draft,
        valuation_id,
        purpose: 'planning',
        subject: { type: 'business', id: null, name: 'Corner Bakery of Ohio' },
        inputs,
        revision: 2,
        updated_at: '',
      },
    )
    assert.deepEqual(receipt?.changed, ['subject', 'purpose', 'inputs'])
    assert.deepEqual((await member().getValuation({ valuation_id })).data, data)
    const { data: listed } = await member().listValuations({ limit: 100 })
    assert.deepEqual(listed.find(one => one.valuation_id === valuation_id)?.subject, data.subject)
    const [, updated] = await world.historyOf(valuation_id)
    assert.deepEqual([updated?.type, updated?.feed], ['valuation.updated', 'audit'])
    assert.deepEqual(updated?.data['changed'], ['subject', 'purpose', 'inputs'])
  })

  it('removes the weights by null, and the Business by null', async () => {
    const business_id = await world.business()
    const { valuation_id, weights } = await world.draft({ business_id })
    assert.deepEqual(weights, { sde_multiple: '0.7', revenue_multiple: '0.3' })
    const { data } = await member().updateValuation({
      valuation_id,
      expected_revision: 1,
      weights: null,
      business_id: null,
    })
    assert.deepEqual([data.weights, data.business_id], [null, null])
    const { data: run } = await member().runValuation({ valuation_id, expected_revision: 2 })
    assert.deepEqual(
      run.result?.reconciliation.map(one => one.weight),
      ['0.5', '0.5'],
    )
  })

  it('to another Business as the subject makes it a valuation of that Business', async () => {
    const [first, second] = [await world.business(), await world.business('Other')]
    const subjectOf = (id: string) => ({ type: 'business' as const, id })
    const { valuation_id } = await world.draft({ subject: subjectOf(first) })
    const change = { valuation_id, subject: subjectOf(second) }
    const { data } = await member().updateValuation({ ...change, expected_revision: 1 })
    assert.equal(data.business_id, second)
    const { data: without } = await member().updateValuation({
      ...change,
      expected_revision: 2,
      business_id: null,
    })
    assert.equal(without.business_id, null)
  })

  it('with what it has already changes nothing and writes no event', async () => {
    const draft = await world.draft()
    const { valuation_id } = draft
    const { data, receipt } = await member().updateValuation({
      ...bakery(),
      valuation_id,
      expected_revision: 1,
    })
    assert.deepEqual([data, receipt?.changed], [draft, []])
    assert.equal((await world.historyOf(valuation_id)).length, 1)
  })

  it('is refused for a stale revision, with the fields that it would have changed', async () => {
    const { valuation_id } = await world.draft()
    await member().updateValuation({ valuation_id, expected_revision: 1, purpose: 'planning' })
    const { expected, current, changed_fields } = await refused(
      member().updateValuation({ valuation_id, expected_revision: 1, purpose: 'financing', currency: 'USD' }),
      'revision_conflict',
    )
    assert.deepEqual([expected, current, changed_fields], [1, 2, ['purpose']])
  })

  it('is refused for a completed one, before its revision is looked at', async () => {
    const completed = await world.completed()
    const { valuation_id } = completed
    const change = { valuation_id, expected_revision: 9, purpose: 'planning' as const }
    const { current_status } = await refused(member().updateValuation(change), 'state_conflict')
    assert.equal(current_status, 'completed')
    assert.deepEqual((await member().getValuation({ valuation_id })).data, completed)
  })

  it('is refused without a change, and with a fault of the whole document', async () => {
    const { valuation_id } = await world.draft()
    const named = { valuation_id, expected_revision: 1 }
    await refused(member().updateValuation(named), 'validation_error')
    const faulty = async (change: Partial<NewValuation>, pointer: RegExp) => {
      const { errors } = await refused(member().updateValuation({ ...named, ...change }), 'validation_error')
      assert.ok(
        errors.some(one => one.in === 'body' && pointer.test(one.pointer)),
        JSON.stringify(errors),
      )
    }
    await faulty({ methods: bakery().methods?.slice(0, 1) ?? [] }, /^\/weights/)
    await faulty({ valuation_date: '2025-06-30' }, /^\/inputs\/periods\/0/)
    await refused(member().updateValuation({ ...named, business_id: newId('biz') }), 'not_found')
    assert.equal((await member().getValuation({ valuation_id })).data.revision, 1)
  })

  it('takes the permission valuations:run', async () => {
    const { valuation_id } = await world.draft()
    const change = { valuation_id, expected_revision: 1, purpose: 'planning' as const }
    const { required_permission } = await refused(world.client('viewer').updateValuation(change), 'forbidden')
    assert.equal(required_permission, 'valuations:run')
  })
})
