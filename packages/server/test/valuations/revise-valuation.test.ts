import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { refused } from '../harness/refused.ts'
import { makeValuationWorld, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

describe('revising a completed valuation', () => {
  it('answers 201 with a draft of the same document with the changes, which names the one that it replaces', async () => {
    const earlier = await world.completed()
    const { valuation_id } = earlier
    const { data, receipt } = await member().reviseValuation({
      valuation_id,
      expected_revision: 1,
      purpose: 'planning',
    })
    assert.notEqual(data.valuation_id, valuation_id)
    assert.deepEqual([data.status, data.revision, data.supersedes_id], ['draft', 1, valuation_id])
    assert.deepEqual([data.purpose, data.inputs, data.methods], ['planning', earlier.inputs, earlier.methods])
    assert.deepEqual([data.result, data.superseded_by_id], [null, null])
    assert.deepEqual(receipt?.resource, { type: 'valuation', id: data.valuation_id })
    assert.deepEqual(receipt?.changed, ['purpose'])
    assert.deepEqual((await member().getValuation({ valuation_id: data.valuation_id })).data, data)
    const { data: old } = await member().getValuation({ valuation_id })
    assert.deepEqual(
      { ...old, updated_at: earlier.updated_at },
      { ...earlier, superseded_by_id: data.valuation_id, revision: 2 },
    )
    const types = async (id: string) => (await world.historyOf(id)).map(one => one.type)
    assert.deepEqual(await types(data.valuation_id), ['valuation.created'])
    assert.deepEqual(await types(valuation_id), [
      'valuation.created',
      'valuation.completed',
      'valuation.superseded',
    ])
  })

  it('keeps the evidence under the same ids, and adds nothing to the earlier one', async () => {
    const { valuation_id } = await world.draft()
    const { file } = await member().createTextFile({ name: 'Returns.md', content: '# Returns' })
    const { data: evidence } = await member().addValuationEvidence({
      valuation_id,
      code: 'returns',
      file_id: file.file_id,
      dated_on: '2026-03-31',
    })
    await member().runValuation({ valuation_id, expected_revision: 2 })
    const { data } = await member().reviseValuation({ valuation_id, expected_revision: 3 })
    const revised = { valuation_id: data.valuation_id }
    const { data: copied } = await member().listValuationEvidence(revised)
    assert.deepEqual(copied, [{ ...evidence, ...revised }])
    await member().addValuationEvidence({
      ...revised,
      code: 'signatory',
      file_id: file.file_id,
      dated_on: '2026-03-31',
    })
    assert.equal((await member().listValuationEvidence(revised)).data.length, 2)
    assert.deepEqual((await member().listValuationEvidence({ valuation_id })).data, [evidence])
  })

  it('is refused for a draft, for one that is replaced already, for a stale revision and for a fault', async () => {
    const draft = await world.draft()
    const { current_status } = await refused(
      member().reviseValuation({ valuation_id: draft.valuation_id, expected_revision: 1 }),
      'state_conflict',
    )
    assert.equal(current_status, 'draft')
    const { valuation_id } = await world.completed()
    await refused(member().reviseValuation({ valuation_id, expected_revision: 2 }), 'revision_conflict')
    await refused(
      member().reviseValuation({ valuation_id, expected_revision: 1, weights: { sde_multiple: '0.9' } }),
      'validation_error',
    )
    await member().reviseValuation({ valuation_id, expected_revision: 1 })
    await refused(member().reviseValuation({ valuation_id, expected_revision: 2 }), 'state_conflict')
  })

  it('is done once, however many try at once', async () => {
    const { valuation_id } = await world.completed()
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => member().reviseValuation({ valuation_id, expected_revision: 1 })),
    )
    assert.equal(tries.filter(one => one.status === 'fulfilled').length, 1)
    for (const one of tries)
      if (one.status === 'rejected') assert.ok(isProblem(one.reason, 'state_conflict'), String(one.reason))
  })
})

describe('signing', () => {
  const signature = {
    statement: 'I have no interest in the subject.\nMy fee does not depend on the value.',
    qualifications: 'Accredited Senior Appraiser since 2012.',
  }
  const calculation = () => world.completed({ engagement_type: 'calculation' })

  it('stores who signed the hash of which result, and when', async () => {
    const completed = await calculation()
    const { valuation_id } = completed
    const named = { valuation_id, expected_revision: 1, ...signature }
    const { data, receipt } = await member().signValuation(named)
    assert.deepEqual(data.signature, {
      ...signature,
      signed_by: { user_id: world.people.member.user_id, name: 'member' },
      signed_at: receipt?.occurred_at,
      result_hash: completed.result?.engine.result_hash,
    })
    assert.deepEqual([data.is_signed, data.revision, data.result], [true, 2, completed.result])
    assert.deepEqual((await member().getValuation({ valuation_id })).data, data)
    const { type, feed, data: told } = (await world.historyOf(valuation_id)).at(-1) ?? assert.fail()
    assert.deepEqual([type, feed], ['valuation.signed', 'audit'])
    assert.deepEqual(told, { engagement_type: 'calculation' })
    await refused(member().signValuation({ ...named, expected_revision: 2 }), 'state_conflict')
    const { data: revised } = await member().reviseValuation({ valuation_id, expected_revision: 2 })
    assert.deepEqual([revised.signature, revised.is_signed], [null, false])
  })

  it('is for people: an API key of the same person cannot', async () => {
    const { valuation_id } = await calculation()
    const key = await world.withKey(['valuations:run', 'valuations:read'])
    await refused(key.signValuation({ valuation_id, expected_revision: 1, ...signature }), 'forbidden')
    assert.equal((await member().getValuation({ valuation_id })).data.is_signed, false)
  })

  it('is for completed calculations alone', async () => {
    const indicative = await world.completed()
    const draft = await world.draft({ engagement_type: 'calculation' })
    for (const { valuation_id, status } of [indicative, draft]) {
      const { current_status } = await refused(
        member().signValuation({ valuation_id, expected_revision: 1, ...signature }),
        'state_conflict',
      )
      assert.equal(current_status, status)
    }
    const { valuation_id } = await calculation()
    await refused(
      member().signValuation({ valuation_id, expected_revision: 2, ...signature }),
      'revision_conflict',
    )
    await refused(
      member().signValuation({ valuation_id, expected_revision: 1, ...signature, statement: ' ' }),
      'validation_error',
    )
  })

  it('replays the signature to whoever may still read valuations, and to nobody else', async () => {
    const { valuation_id } = await calculation()
    const person = world.service.person('Pia')
    const membership_id = await world.service.join(world.workspace_id, person, 'member')
    const key = { idempotency_key: randomUUID() }
    const sign = () =>
      world.as(person).signValuation({ valuation_id, expected_revision: 1, ...signature }, key)
    const first = await sign()
    const again = await sign()
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    await world.service.sql(
      `update memberships set permissions = '{"valuations:read": false}' where id = $1`,
      [membership_id],
    )
    await refused(sign(), 'not_found')
  })
})
