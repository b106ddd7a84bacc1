import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { bakery } from '../valuation-document.ts'
import { makeVisitorWorld, withoutIds, type VisitorWorld } from './visitor-fixture.ts'

let world: VisitorWorld
before(async () => {
  world = await makeVisitorWorld()
})
after(() => world.close())

const visitor = () => world.service.anonymous

describe('running a valuation without an account', () => {
  it('answers the result at once, the same that a member gets', async () => {
    const { data, claim_token } = await visitor().createValuation(bakery({ run: true }))
    assert.deepEqual([data.status, data.completed_at], ['completed', data.created_at])
    assert.deepEqual(data.conclusion, data.result?.conclusion)
    const { valuation_id } = data
    const read = await visitor().getValuation({ valuation_id }, { claim_token: String(claim_token) })
    assert.deepEqual(read.data, data)
    const { owner, workspace_id } = await world.claimer()
    const ofMember = await owner.client.createValuation(bakery({ run: true }), { workspace_id })
    assert.deepEqual(ofMember.data.result, data.result)
  })

  it('keeps the result when it is claimed, and its calculation', async () => {
    const { data, claim_token } = await visitor().createValuation(bakery({ run: true }))
    const { valuation_id } = data
    const claimer = await world.claimer()
    await claimer.claim({ valuation_id, claim_token: String(claim_token) })
    const { workspace_id, business_id, owner } = claimer
    const { data: claimed } = await owner.client.getValuation({ valuation_id }, { workspace_id })
    const { claimed_at, updated_at } = claimed
    assert.deepEqual(claimed, { ...data, workspace_id, business_id, claimed_at, updated_at, revision: 2 })
    const [row] = await world.service.sql(
      'select calculation::text as calculation from valuation_results where valuation_id = $1',
      [valuation_id],
    )
    assert.ok(JSON.parse(String(row?.['calculation'])).length > 0)
    // It is a valuation like any other from then on.
    const revised = await owner.client.reviseValuation(
      { valuation_id, expected_revision: 2, currency: 'EUR' },
      { workspace_id },
    )
    assert.deepEqual([revised.data.supersedes_id, revised.data.business_id], [valuation_id, business_id])
  })

  it('shows explain, sensitivity and the report in each form to whoever has the token, and to nobody else', async () => {
    const { data, claim_token } = await visitor().createValuation(bakery({ run: true }))
    const { valuation_id } = data
    const drafted = await world.made()
    const paths = ['explain', 'sensitivity', 'report', 'report?format=md', 'report?format=html']
    const get = (id: string, path: string, token: unknown) =>
      world.service.request(`/v1/valuations/${id}/${path}`, {
        ...(typeof token === 'string' && { headers: { 'svc-claim-token': token } }),
      })
    for (const path of paths) {
      const answer = await get(valuation_id, path, claim_token)
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      assert.ok(!answer.text.includes(String(claim_token)))
      const refusals = await Promise.all([
        get(`val_${'0'.repeat(32)}`, path, claim_token),
        get(valuation_id, path, undefined),
        get(valuation_id, path, `clm_${'A'.repeat(43)}`),
        get(valuation_id, path, drafted.claim_token),
      ])
      for (const refusal of refusals) {
        assertProblem(refusal, 'not_found')
        assert.deepEqual(withoutIds(refusal), withoutIds(refusals[0]))
      }
      assertProblem(await get(drafted.valuation_id, path, drafted.claim_token), 'state_conflict')
    }
    await world.expire(valuation_id)
    for (const path of paths) assertProblem(await get(valuation_id, path, claim_token), 'gone')
  })

  it('is 422 for what takes evidence, which nobody can add without an account, and makes nothing', async () => {
    const count = async () =>
      (await world.service.sql('select count(*)::integer as count from visitor_valuations'))[0]?.['count']
    const before = await count()
    const problem = await refused(
      visitor().createValuation(bakery({ run: true, purpose: 'gift_estate_tax' })),
      'evidence_required',
    )
    assert.ok(problem.missing_evidence.some(({ code }) => code === 'statements'))
    assert.equal(await count(), before)
    const { data } = await visitor().createValuation(bakery({ purpose: 'gift_estate_tax' }))
    assert.equal(data.status, 'draft')
    assert.ok(data.missing_evidence.length > 0)
  })

  it('is 400 for a document that is wrong, and 422 for one that gives no conclusion', async () => {
    const { errors } = await refused(
      visitor().createValuation(
        bakery({ run: true, weights: { sde_multiple: '0.5', revenue_multiple: '0.3' } }),
      ),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.pointer),
      ['/weights'],
    )
    const [period] = bakery().inputs.periods ?? []
    await refused(
      visitor().createValuation(
        bakery({
          run: true,
          inputs: {
            periods: [{ ...(period as object), income: { revenue: '800000', net_income: '-500000' } }],
          } as never,
          methods: [{ method: 'sde_multiple', multiple: '2', source: 'Survey', as_of: '2025-12-31' }],
          weights: undefined,
        } as never),
      ),
      'unprocessable_content',
    )
  })
})
