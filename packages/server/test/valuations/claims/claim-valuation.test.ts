import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeVisitorWorld, type Claimer, type VisitorWorld } from '../visitors/visitor-fixture.ts'

let world: VisitorWorld
let here: Claimer
before(async () => {
  world = await makeVisitorWorld()
  here = await world.claimer()
})
after(() => world.close())

const absent = `val_${'0'.repeat(32)}`
const wrongToken = `clm_${'A'.repeat(43)}`
const read = (valuation_id: string, { owner, workspace_id }: Claimer = here) =>
  owner.client.getValuation({ valuation_id }, { workspace_id })

/** A problem without the parts that differ between any two. */
const told = (problem: { request_id: string; instance: string }) => ({
  ...problem,
  request_id: undefined,
  instance: undefined,
})

describe('claiming a valuation', () => {
  it('makes it one of a Business of the Workspace, under the same id, with all that it is', async () => {
    const made = await world.made({ subject: { type: 'business', name: 'Corner Bakery' } })
    const { valuation_id, claim_token } = made
    const before = await world.service.anonymous.getValuation({ valuation_id }, { claim_token })
    const { receipt, request_id, ...answer } = await here.claim(made)
    assert.deepEqual(answer, {
      valuation_id: made.valuation_id,
      business_id: here.business_id,
      workspace_id: here.workspace_id,
      attached: true,
      original_request_id: request_id,
      idempotent_replay: false,
    })
    assert.equal(receipt.operation, 'claim_valuation')
    assert.deepEqual(receipt.resource, { type: 'valuation', id: made.valuation_id })
    const { data } = await read(made.valuation_id)
    const { claimed_at, updated_at } = data
    assert.ok(claimed_at)
    assert.deepEqual(data, {
      ...before.data,
      workspace_id: here.workspace_id,
      business_id: here.business_id,
      claimed_at,
      updated_at,
      revision: 2,
    })
  })

  it('leaves of it among those of visitors only that it was claimed', async () => {
    const made = await world.made()
    await here.claim(made)
    const [row] = await world.service.sql('select * from visitor_valuations where id = $1', [
      made.valuation_id,
    ])
    const { document, summary, conclusion, result, calculation, claim_digest, claimed_at } = row ?? {}
    assert.deepEqual(
      [document, summary, conclusion, result, calculation, claim_digest],
      [null, null, null, null, null, null],
    )
    assert.ok(claimed_at)
  })

  it('tells the Rooms of the Business, or the audit log if it has none', async () => {
    const claimer = await world.claimer()
    const { owner, workspace_id, business_id } = claimer
    const historyOf = (id: string) =>
      world.service.sql(
        `select type, feed, room_id, data, actor ->> 'user_id' as by from events where workspace_id = $1 and subject ->> 'id' = $2`,
        [workspace_id, id],
      )
    const first = await world.made()
    await claimer.claim(first)
    const told = { type: 'valuation.claimed', data: { engagement_type: 'indicative' }, by: owner.user_id }
    assert.deepEqual(await historyOf(first.valuation_id), [{ ...told, feed: 'audit', room_id: null }])
    const { room } = await owner.client.createRoom({ title: 'Sale', business_id }, { workspace_id })
    const second = await world.made()
    await claimer.claim(second)
    const { room_id } = room
    assert.deepEqual(await historyOf(second.valuation_id), [{ ...told, feed: 'activity', room_id }])
  })

  it('can be done by an API key with that permission alone, which gets its answer again', async () => {
    const { secret } = await world.service.apiKey(here.workspace_id, here.owner, ['valuations:claim'])
    const key = world.service.client({ api_key: secret, workspace_id: here.workspace_id })
    const input = { ...(await world.made()), business_id: here.business_id }
    const idempotency_key = randomUUID()
    const first = await key.claimValuation(input, { idempotency_key })
    const again = await key.claimValuation(input, { idempotency_key })
    assert.deepEqual(again, { ...first, request_id: again.request_id, idempotent_replay: true })
    await refused(key.getValuation({ valuation_id: input.valuation_id }), 'forbidden')
    const other = await world.service.apiKey(here.workspace_id, here.owner, [
      'valuations:run',
      'valuations:read',
    ])
    const weak = world.service.client({ api_key: other.secret, workspace_id: here.workspace_id })
    const problem = await refused(
      weak.claimValuation({ ...(await world.made()), business_id: here.business_id }),
      'forbidden',
    )
    assert.equal(problem.required_permission, 'valuations:claim')
  })
})

describe('a claim is refused in one and the same way', () => {
  it('for a wrong token, no such valuation, an expired one and one that was claimed elsewhere', async () => {
    const there = await world.claimer('Elsewhere')
    const [made, other, expired, elsewhere] = await Promise.all([
      world.made(),
      world.made(),
      world.made(),
      world.made(),
    ])
    await world.expire(expired.valuation_id)
    await there.claim(elsewhere)
    const claimed = await world.made()
    await here.claim(claimed)
    const attempts = [
      { valuation_id: absent, claim_token: wrongToken },
      { valuation_id: absent, claim_token: made.claim_token },
      { ...made, claim_token: wrongToken },
      { ...made, claim_token: other.claim_token },
      { ...made, claim_token: 'x' },
      { ...made, claim_token: 'x'.repeat(200) },
      { ...made, claim_token: `${made.claim_token} ` },
      expired,
      elsewhere,
      { ...elsewhere, claim_token: wrongToken },
      { ...claimed, claim_token: wrongToken },
    ]
    const problems = []
    for (const attempt of attempts) problems.push(told(await refused(here.claim(attempt), 'not_found')))
    for (const problem of problems) assert.deepEqual(problem, problems[0])
    await here.claim(made)
  })

  it('with 409 only in the Workspace that has claimed it, to whoever has the token', async () => {
    const made = await world.made()
    await here.claim(made)
    const problem = await refused(here.claim(made), 'state_conflict')
    assert.equal(problem.current_status, 'claimed')
  })

  it('for a Business that the Workspace cannot see as for none, and with 403 without edit access', async () => {
    const made = await world.made()
    const { owner, workspace_id } = here
    const claimOn = (business_id: string, claim_token = made.claim_token) =>
      owner.client.claimValuation({ ...made, claim_token, business_id }, { workspace_id })
    const there = await world.claimer()
    const hidden = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    await world.service.link(there.workspace_id, hidden, there.owner, 'full_access')
    const [none, invisible] = [
      await refused(claimOn(newId('biz')), 'not_found'),
      await refused(claimOn(hidden), 'not_found'),
    ]
    assert.deepEqual(told(invisible), told(none))
    const viewed = await addBusiness(world.service, { name: 'Viewed' })
    await refused(claimOn(viewed), 'forbidden')
    await world.service.link(workspace_id, viewed, owner, 'view')
    await refused(claimOn(viewed), 'forbidden')
    // Who has no token learns nothing of the level.
    await refused(claimOn(viewed, wrongToken), 'not_found')
    await here.claim(made)
  })

  it('with 400 for a token of the wrong form, which is not told back', async () => {
    const made = await world.made()
    for (const claim_token of ['', 'clm_'.repeat(51), 5, null, ['clm_x']]) {
      const answer = await world.service.request(`/v1/valuations/${made.valuation_id}/claim`, {
        method: 'POST',
        token: here.owner.token,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
          'svc-workspace-id': here.workspace_id,
        },
        body: JSON.stringify({ business_id: here.business_id, claim_token }),
      })
      assert.equal(answer.status, 400)
      assert.deepEqual(
        answer.body.errors.map((one: { pointer: string }) => one.pointer),
        ['/claim_token'],
      )
      assert.ok(!answer.text.includes('clm_'))
    }
  })

  it('and leaves the valuation to the next who has the token', async () => {
    const made = await world.made()
    await refused(here.claim({ ...made, claim_token: wrongToken }), 'not_found')
    await here.claim(made)
  })
})

describe('a claim under the same Idempotency-Key', () => {
  it('answers the stored answer, also after the token was used', async () => {
    const made = await world.made()
    const key = randomUUID()
    const first = await here.claim(made, key)
    const again = await here.claim(made, key)
    assert.deepEqual(again, { ...first, request_id: again.request_id, idempotent_replay: true })
    assert.equal(again.attached, true)
  })

  it('is 404 with a wrong token, and 422 with the token of another valuation', async () => {
    const [made, other] = [await world.made(), await world.made()]
    const key = randomUUID()
    await here.claim(made, key)
    await refused(here.claim({ ...made, claim_token: wrongToken }, key), 'not_found')
    await refused(here.claim(other, key), 'idempotency_key_reused')
    await here.claim(other)
  })

  it('is not answered to who lost the permission or the Business', async () => {
    const claimer = await world.claimer()
    const member = world.service.person('Mia')
    const membership_id = await world.service.join(claimer.workspace_id, member, 'member')
    const made = await world.made()
    const input = { ...made, business_id: claimer.business_id }
    const options = { workspace_id: claimer.workspace_id, idempotency_key: randomUUID() }
    const first = await member.client.claimValuation(input, options)
    const show = (isShown: boolean) =>
      world.service.sql(
        `with link as (update workspace_businesses set removed_at = case when not $2 then now() end where business_id = $1)
         update businesses set publication_status = case when $2 then 'published' else 'withdrawn' end where id = $1`,
        [claimer.business_id, isShown],
      )
    await show(false)
    await refused(member.client.claimValuation(input, options), 'not_found')
    await show(true)
    assert.equal((await member.client.claimValuation(input, options)).original_request_id, first.request_id)
    await world.service.sql(
      `update memberships set permissions = '{"valuations:claim": false}' where id = $1`,
      [membership_id],
    )
    await refused(member.client.claimValuation(input, options), 'forbidden')
  })

  it('keeps in the Workspace the digest of the token alone', async () => {
    const made = await world.made()
    await here.claim(made)
    const [row] = await world.service.sql('select claim_digest from valuations where id = $1', [
      made.valuation_id,
    ])
    assert.deepEqual(row?.['claim_digest'], createHash('sha256').update(made.claim_token).digest())
  })
})
