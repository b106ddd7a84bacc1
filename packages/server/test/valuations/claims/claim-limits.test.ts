import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { assertProblem } from '../../http/problem-check.ts'
import { policiesOf } from '../../limits/answers.ts'
import { bakery, unfinished } from '../valuation-document.ts'
import { makeVisitorWorld, type Claimer, type Made, type VisitorWorld } from '../visitors/visitor-fixture.ts'

const wrongToken = `clm_${'A'.repeat(43)}`
const absent = `val_${'0'.repeat(32)}`

describe('with the quotas of production', () => {
  let world: VisitorWorld
  let here: Claimer
  before(async () => {
    world = await makeVisitorWorld({ rateLimitScale: 1, trustedProxies: ['127.0.0.0/8'] })
    here = await world.claimer()
  })
  after(() => world.close())

  const claim = (
    { valuation_id, claim_token }: Made,
    token = here.owner.token,
    { business_id, workspace_id } = here,
    address = '192.0.2.1',
  ) =>
    world.service.request(`/v1/valuations/${valuation_id}/claim`, {
      method: 'POST',
      token,
      headers: {
        'x-forwarded-for': address,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        'svc-workspace-id': workspace_id,
      },
      body: JSON.stringify({ business_id, claim_token }),
    })

  it('the eleventh try of a token within an hour is refused before it is judged, whether or not there is a valuation', async () => {
    const made = await world.made()
    const there = await world.claimer()
    const elsewhere = await world.made()
    await there.claim(elsewhere)
    for (const attempt of [
      { ...made, claim_token: wrongToken },
      { valuation_id: absent, claim_token: wrongToken },
      elsewhere,
    ]) {
      const answers = []
      for (let i = 0; i < 11; i++) answers.push(await claim(attempt))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [...Array.from({ length: 10 }, () => 404), 429],
      )
      assert.deepEqual(policiesOf(answers[0] as (typeof answers)[0])['claim'], {
        quota: 10,
        window: 3600,
        left: 9,
        seconds: 360,
      })
      const { 'violated-policies': violated } = assertProblem(
        answers[10] as (typeof answers)[0],
        'rate_limited',
      ) as never
      assert.deepEqual(violated, ['claim'])
    }
    // The right token is refused to this caller too, because the try is not judged.
    assertProblem(await claim(made), 'rate_limited')
  })

  it('the tries of one caller do not keep another one from claiming, nor the same one another valuation', async () => {
    const made = await world.made()
    const rival = await world.claimer()
    for (let i = 0; i < 12; i++) await claim({ ...made, claim_token: wrongToken }, rival.owner.token, rival)
    assert.equal((await claim(await world.made(), rival.owner.token, rival)).status, 200)
    assert.equal((await claim(made)).status, 200)
  })

  it('those of a stranger who names the Workspace of another one, at the same address, do not either', async () => {
    const made = await world.made()
    const stranger = world.service.person('Stranger').token
    for (let i = 0; i < 10; i++)
      assert.equal((await claim({ ...made, claim_token: wrongToken }, stranger)).status, 403)
    assertProblem(await claim({ ...made, claim_token: wrongToken }, stranger), 'rate_limited')
    assert.equal((await claim(made)).status, 200)
  })

  it('all of a Workspace have ten together from one address, and those at another address are not kept from it', async () => {
    const there = await world.claimer()
    const colleague = world.service.person('Colleague')
    await world.service.join(there.workspace_id, colleague, 'owner')
    const made = await world.made()
    const wrong = { ...made, claim_token: wrongToken }
    const inOneNetwork = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2'] as const
    const both = [there.owner.token, colleague.token]
    // The first try, before this node knows that they belong to the Workspace, counts for the caller alone.
    for (let i = 0; i < 6; i++)
      for (const [at, token] of both.entries())
        assert.equal((await claim(wrong, token, there, inOneNetwork[at])).status, 404, String(i))
    for (const token of both) assertProblem(await claim(made, token, there, inOneNetwork[0]), 'rate_limited')
    assert.equal((await claim(made, colleague.token, there, '2001:db8:1:3::1')).status, 200)
  })

  it('visitors have sixty changes an hour by address, which members do not use up', async () => {
    const { owner, workspace_id } = here
    const first = await world.send(unfinished())
    const { guest, ...others } = policiesOf(first)
    assert.deepEqual(others, {})
    assert.deepEqual([guest?.quota, guest?.window], [60, 3600])
    const ofMember = await world.send(unfinished(), {
      authorization: `Bearer ${owner.token}`,
      'svc-workspace-id': workspace_id,
    })
    assert.equal(ofMember.status, 201, ofMember.text)
    assert.deepEqual(Object.keys(policiesOf(ofMember)), ['write', 'run'])
    const left = policiesOf(await world.send(unfinished()))['guest']?.left ?? 0
    assert.equal(left, (guest?.left ?? 0) - 1)
    const anonymous = world.service.person('Guest', { is_anonymous: true })
    const authorization = `Bearer ${anonymous.token}`
    assert.equal(policiesOf(await world.send(unfinished(), { authorization }))['guest']?.left, left - 1)
    const made = await world.made()
    const { headers } = await world.service.request(`/v1/valuations/${made.valuation_id}`, {
      headers: { 'svc-claim-token': made.claim_token },
    })
    assert.deepEqual(Object.keys(policiesOf({ headers })), ['read'])
  })

  it('visitors have as many reports as runs, by address, because a report is computed', async () => {
    const { data, claim_token } = (await world.send(bakery({ run: true }))).body
    const report = () =>
      world.service.request(`/v1/valuations/${data.valuation_id}/report`, {
        headers: { 'svc-claim-token': claim_token },
      })
    const first = await report()
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(Object.keys(policiesOf(first)), ['read', 'run'])
    assert.deepEqual(policiesOf(first)['run']?.quota, 60)
    let last = first
    for (let i = 0; i < 120 && last.status !== 429; i++) last = await report()
    const { 'violated-policies': violated } = assertProblem(last, 'rate_limited') as never
    assert.deepEqual(violated, ['run'])
  })

  it('the sixty-first is refused, and a request with a wrong document counts', async () => {
    let last = await world.send({})
    assertProblem(last, 'validation_error')
    for (let i = 0; i < 60 && last.status !== 429; i++) last = await world.send({})
    const { 'violated-policies': violated } = assertProblem(last, 'rate_limited') as never
    assert.deepEqual(violated, ['guest'])
    const { owner, workspace_id } = here
    const ofMember = { authorization: `Bearer ${owner.token}`, 'svc-workspace-id': workspace_id }
    assert.equal((await world.send(unfinished(), ofMember)).status, 201)
  })
})
