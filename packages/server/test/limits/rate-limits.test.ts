import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { limitPolicies, limitsOf } from '@wbs/contract/limits'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertProblem } from '../http/problem-check.ts'
import { operations, samples } from '../operations/samples.ts'
import { makeWorld, restore } from '../operations/world.ts'
import { rowChanges } from '../harness/transactions/row-changes.ts'
import { callOperation } from '../operations/wire.ts'
import { assertLimited, policiesOf, told, untilRefused } from './answers.ts'

describe('every operation', () => {
  let service: TestService
  before(async () => void (service = await startTestService({ rateLimitScale: 1 })))
  after(() => service.close())

  it('says in its answers by which policies it is limited, and how much of each is left', async () => {
    const world = await makeWorld(service)
    const { token } = world.people.owner
    for (const operation of operations) {
      const headers = { authorization: `Bearer ${token}`, 'svc-workspace-id': world.workspace_id }
      const answer = await callOperation(
        service,
        operation,
        await samples[operation.name].input(world),
        headers,
      )
      await restore(world)
      if (operation.tag === 'System') {
        assert.equal(answer.headers.get('ratelimit'), null)
        assert.equal(answer.headers.get('ratelimit-policy'), null)
        continue
      }
      const policies = policiesOf(answer)
      assert.deepEqual(Object.keys(policies), limitsOf(operation))
      for (const policy of limitsOf(operation)) {
        const { quota, window, left, seconds } = policies[policy] ?? assert.fail(policy)
        assert.deepEqual(
          { quota, window },
          { quota: limitPolicies[policy].quota, window: limitPolicies[policy].window },
        )
        // A token that was used may be refilled by the time of the answer. The samples of approvals use some of `run`.
        assert.ok(left <= quota && left > quota * 0.6 && seconds < 0.4 * window)
      }
    }
  })
})

describe('with a thousandth of the quotas', () => {
  let service: TestService
  before(async () => void (service = await startTestService({ rateLimitScale: 0.001 }))) // 6 reads a minute, 1 change
  after(() => service.close())

  const me = (token: string) => service.request('/v1/me', { token })
  const search = (headers = {}) => service.request('/v1/businesses?limit=1', { headers })
  const create = (token: string, key: string, body: string = JSON.stringify({ name: 'Harbor Street' })) =>
    service.request('/v1/workspaces', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body,
    })

  it('the seventh read of a minute is refused, and those before say what is left', async () => {
    const { token } = service.person('Olivia')
    const answers = await untilRefused(() => me(token))
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200, 200, 200, 200, 200, 429],
    )
    const all = answers.map(answer => told(answer, 'read'))
    for (const { quota, window } of all) assert.deepEqual([quota, window], [6, 60])
    assert.deepEqual(
      all.map(({ left }) => left),
      [5, 4, 3, 2, 1, 0, 0],
    )
    // A token is refilled in ten seconds; with none left, Retry-After says when the next one is.
    for (const [i, seconds] of [10, 20, 30, 40, 50, 10].entries()) {
      const early = seconds - (all[i]?.seconds ?? 0)
      assert.ok(early >= 0 && early < 3, `${i}: ${early}`)
    }
    assert.ok(assertLimited(answers.at(-1), 'read') <= 10)
  })

  it("a caller is not limited by another's requests, nor by another policy", async () => {
    const [quentin, rosa] = [service.person('Quentin'), service.person('Rosa')]
    await untilRefused(() => me(quentin.token))
    assert.equal((await me(rosa.token)).status, 200)
    assert.equal((await create(quentin.token, randomUUID())).status, 201)
    assert.equal((await search({ authorization: `Bearer ${quentin.token}` })).status, 200)
    assertLimited(await me(quentin.token), 'read')
  })

  it('another token of the same person counts for that person', async () => {
    const { token, subject } = service.person('Sam')
    await untilRefused(() => me(token))
    const another = service.issuer.sign({ ...service.issuer.claims(), sub: subject, jti: randomUUID() })
    assertLimited(await me(another), 'read')
  })

  it('searches without a credential count for their address, with a smaller quota', async () => {
    const answers = await untilRefused(() => search())
    assert.equal(answers.length, 2)
    assert.equal(told(answers[0] as (typeof answers)[0], 'search').quota, 1)
    assertLimited(answers.at(-1), 'search')
    const authorization = `Bearer ${service.person('Tess').token}`
    const signedIn = await untilRefused(() => search({ authorization }))
    assert.equal(signedIn.length, 4)
    assert.equal(told(signedIn[0] as (typeof answers)[0], 'search').quota, 3)
  })

  it('other reads without a credential count for their address as reads', async () => {
    const answers = await untilRefused(() => service.request('/v1/businesses/biz_01ARZ3NDEKTSV4RRFFQ69G5FAV'))
    assert.deepEqual(
      answers.map(answer => answer.status),
      [404, 404, 404, 404, 404, 404, 429],
    )
    assertLimited(answers.at(-1), 'read')
  })

  it("the client's own claim of its address is not trusted", async () => {
    await untilRefused(() => search())
    for (const header of ['x-forwarded-for', 'x-real-ip'])
      assertLimited(await search({ [header]: '192.0.2.1', forwarded: 'for=192.0.2.1' }), 'search')
  })

  it('a request is refused before anything of it is judged, and those that are not valid count', async () => {
    const { token } = service.person('Vera')
    const invalid = await create(token, 'short', '{')
    assertProblem(invalid, 'validation_error')
    assert.equal(told(invalid, 'write').left, 0)
    const post = (headers: Record<string, string>) =>
      service.request('/v1/workspaces', { method: 'POST', token, headers, body: 'x' })
    for (const answer of [
      await create(token, 'short'),
      await create(token, randomUUID(), '{'),
      await post({ accept: 'text/html' }),
      await post({ 'content-type': 'text/plain' }),
      await post({ 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    ])
      assertLimited(answer, 'write')
    const other = await service.request('/v1/workspaces', { method: 'DELETE', token })
    assertProblem(other, 'method_not_allowed')
  })

  it('a refusal says what is left like any other answer', async () => {
    const { token } = service.person('Will')
    const workspace_id = randomUUID()
    const read = (path: string, headers = {}) => service.request(path, { token, headers })
    for (const [status, left, answer] of [
      [403, 5, await read(`/v1/workspaces/${workspace_id}`, { 'svc-workspace-id': workspace_id })],
      [400, 4, await read(`/v1/workspaces/${workspace_id}`)],
      [404, 3, await read('/v1/businesses/biz_01ARZ3NDEKTSV4RRFFQ69G5FAV')],
    ] as const) {
      assert.equal(answer.status, status)
      assert.equal(told(answer, 'read').left, left)
    }
  })

  it('health and readiness are not limited', async () => {
    for (let i = 0; i < 10; i++)
      for (const path of ['/health', '/ready']) assert.equal((await service.request(path)).status, 200)
  })

  it('counting changes nothing that an answer comes from', async () => {
    const { token, user_id } = service.person('Xena')
    await rowChanges(service)
    await untilRefused(() => me(token))
    assert.deepEqual(await rowChanges(service), [])
    const buckets = await service.sql(`select from rate_limits where bucket = 'read user:' || $1::text`, [
      user_id,
    ])
    assert.equal(buckets.length, 1)
  })
})

it('without rate limits, nothing is counted and nothing said', async () => {
  const service = await startTestService({ rateLimitScale: 0 })
  const { headers } = await service.request('/v1/businesses?limit=1')
  for (const name of ['ratelimit', 'ratelimit-policy']) assert.equal(headers.get(name), null)
  assert.equal((await service.sql('select from rate_limits')).length, 0)
  await service.close()
})
