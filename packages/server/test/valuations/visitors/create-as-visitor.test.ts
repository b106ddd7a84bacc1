import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { unfinished } from '../valuation-document.ts'
import { makeVisitorWorld, type VisitorWorld } from './visitor-fixture.ts'

let world: VisitorWorld
before(async () => {
  world = await makeVisitorWorld()
})
after(() => world.close())

const visitor = () => world.service.anonymous
const rows = async () =>
  (await world.service.sql<{ count: number }>('select count(*)::integer as count from visitor_valuations'))[0]
    ?.count

describe('creating a valuation without an account', () => {
  it('answers 201 with the draft, a token and until when it is good, and neither receipt nor Workspace', async () => {
    const answer = await world.send(unfinished())
    assert.equal(answer.status, 201, answer.text)
    const { data, claim_token, expires_at, idempotent_replay, original_request_id, request_id } = answer.body
    assert.match(data.valuation_id, /^val_[0-9a-f]{32}$/)
    assert.match(claim_token, /^clm_[A-Za-z0-9_-]{43}$/)
    assert.equal(Date.parse(expires_at) - Date.parse(data.created_at), 30 * 86_400_000)
    assert.deepEqual([idempotent_replay, original_request_id], [false, request_id])
    assert.equal(answer.headers.get('idempotent-replayed'), null)
    assert.equal(answer.headers.get('etag'), '"r1"')
    assert.ok(!('receipt' in answer.body))
    assert.deepEqual(
      [data.workspace_id, data.business_id, data.created_by, data.claimed_at, data.status],
      [null, null, null, null, 'draft'],
    )
    const [row] = await world.service.sql<{ row: string; claim_digest: Buffer }>(
      'select v::text as row, claim_digest from visitor_valuations v where id = $1',
      [data.valuation_id],
    )
    assert.deepEqual(row?.claim_digest, createHash('sha256').update(claim_token).digest())
    assert.ok(!row.row.includes(claim_token))
  })

  it('works with an anonymous access token too, which it is not bound to', async () => {
    const guest = world.service.person('Guest', { is_anonymous: true })
    const { data, claim_token } = await guest.client.createValuation(unfinished())
    const { data: found } = await visitor().getValuation(
      { valuation_id: data.valuation_id },
      { claim_token: String(claim_token) },
    )
    assert.deepEqual(found, data)
  })

  it('gives each request a token of its own', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => world.made()))
    assert.equal(new Set(tokens.map(one => one.claim_token)).size, 8)
  })

  it('needs a Workspace from those who have an account: 400, and nothing is made', async () => {
    const before = await rows()
    const person = world.service.person('Olivia')
    const workspace_id = await world.service.workspace('Harbor', person)
    const { secret } = await world.service.apiKey(workspace_id, person, ['valuations:run'])
    for (const headers of [{ authorization: `Bearer ${person.token}` }, { 'x-svc-api-key': secret }]) {
      const { errors } = assertProblem(await world.send(unfinished(), headers), 'validation_error')
      assert.deepEqual(
        errors?.map(one => one.pointer),
        ['/SVC-Workspace-Id'],
      )
    }
    const guest = world.service.person('Guest', { is_anonymous: true })
    for (const [headers, code] of [
      [{ 'svc-workspace-id': workspace_id }, 'unauthenticated'],
      [{ 'svc-workspace-id': workspace_id, authorization: `Bearer ${guest.token}` }, 'forbidden'],
      [{ authorization: 'Bearer garbage' }, 'unauthenticated'],
    ] as const)
      assertProblem(await world.send(unfinished(), headers), code)
    assert.equal(await rows(), before)
  })

  it('refuses a document that is wrong, with the pointer of each fault', async () => {
    const problem = await refused(
      visitor().createValuation({ ...unfinished(), currency: 'usd', surplus: 1 } as never),
      'validation_error',
    )
    assert.deepEqual(problem.errors.map(one => one.pointer).toSorted(), ['/currency', '/surplus'])
  })

  it('refuses whatever a document names of a Workspace, whether or not it exists', async () => {
    const { business_id } = await world.claimer()
    const { inputs } = unfinished()
    const assets = [{ name: 'Oven', asset_id: newId('ast'), amount: '1' }]
    for (const [about, ...pointers] of [
      [{ business_id }, '/business_id'],
      [{ business_id: newId('biz') }, '/business_id'],
      [{ subject: { type: 'business', id: business_id } }, '/subject/id'],
      [{ subject: { type: 'portfolio', id: newId('pfl') } }, '/subject/type', '/subject/id'],
      [{ inputs: { ...inputs, benchmark_set_id: randomUUID() } }, '/inputs/benchmark_set_id'],
      [
        { methods: [{ method: 'adjusted_net_assets', assets, liabilities: [] }] },
        '/methods/0/assets/0/asset_id',
      ],
    ] as const) {
      const { errors } = await refused(
        visitor().createValuation({ ...unfinished(), ...about }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => one.pointer),
        pointers,
      )
      for (const { detail } of errors) assert.match(detail, /Without an account|in its Workspace/)
    }
  })
})

describe('the same request of a visitor again', () => {
  it('answers the same valuation without its token, and says so', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await world.send(unfinished(), headers)
    const before = await rows()
    const again = await world.send(unfinished(), headers)
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const { request_id, claim_token: _, ...rest } = first.body
    assert.deepEqual(again.body, {
      ...rest,
      claim_token: null,
      request_id: again.body.request_id,
      original_request_id: request_id,
      idempotent_replay: true,
    })
    assert.equal(await rows(), before)
  })

  it('with another body is another request, and never answers what the first one made', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await world.send(unfinished(), headers)
    const other = await world.send(unfinished({ currency: 'EUR' }), headers)
    assert.equal(other.status, 201)
    assert.notEqual(other.body.data.valuation_id, first.body.data.valuation_id)
    assert.equal(other.body.idempotent_replay, false)
    assert.notEqual(other.body.claim_token, first.body.claim_token)
  })

  it('sent sixteen times at once makes one valuation, and gives its token once', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 16 }, () => world.send(unfinished(), headers)))
    assert.ok(answers.every(({ status }) => status === 201))
    assert.equal(new Set(answers.map(({ body }) => body.data.valuation_id)).size, 1)
    assert.equal(answers.filter(({ body }) => body.claim_token !== null).length, 1)
    assert.equal(answers.filter(({ body }) => !body.idempotent_replay).length, 1)
  })

  it('is 404 once the valuation is claimed, or its 30 days are over', async () => {
    const { claim } = await world.claimer()
    for (const end of [
      claim,
      async ({ valuation_id }: { valuation_id: string }) => world.expire(valuation_id),
    ]) {
      const headers = { 'idempotency-key': randomUUID() }
      const { body } = await world.send(unfinished(), headers)
      await end({ valuation_id: body.data.valuation_id, claim_token: body.claim_token })
      const problem = assertProblem(await world.send(unfinished(), headers), 'not_found')
      assert.ok(!JSON.stringify(problem).includes('val_'))
    }
  })

  it('needs an Idempotency-Key like every change', async () => {
    const { errors } = assertProblem(
      await world.send(unfinished(), { 'idempotency-key': 'short' }),
      'validation_error',
    )
    assert.deepEqual(
      errors?.map(one => one.pointer),
      ['/Idempotency-Key'],
    )
  })
})
