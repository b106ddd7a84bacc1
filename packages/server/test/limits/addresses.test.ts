import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { mintApiKey } from '../../src/identity/api-key-format.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertProblem } from '../http/problem-check.ts'
import { assertLimited, told, untilRefused } from './answers.ts'

describe('invalid credentials', () => {
  let service: TestService
  beforeEach(async () => void (service = await startTestService({ rateLimitScale: 0.05 }))) // six a minute
  afterEach(() => service.close())

  const me = (headers: Record<string, string>) => service.request('/v1/me', { headers })
  const bad = [
    { authorization: 'Bearer garbage' },
    { authorization: 'garbage' },
    { 'x-svc-api-key': 'garbage' },
  ]

  const used = (secret: string) => me({ 'x-svc-api-key': secret })
  const refuseOthers = () => untilRefused(() => me(bad[0] ?? {}))

  it('are counted by address, of whatever kind they are, and then refused', async () => {
    const kinds = [...bad, { 'x-svc-api-key': mintApiKey('test').secret }]
    let i = 0
    const all = await untilRefused(() => me(kinds[i++ % kinds.length] ?? {}))
    // If the database is too slow to count, a request is admitted uncounted, and its answer has no limit headers.
    const answers = all.filter(answer => answer.headers.get('ratelimit') !== null)
    assert.deepEqual(
      answers.map(answer => answer.status),
      [401, 401, 401, 401, 401, 401, 429],
    )
    assert.deepEqual(
      answers.map(answer => told(answer, 'authentication').left),
      [5, 4, 3, 2, 1, 0, 0],
    )
    assert.ok(assertLimited(answers.at(-1), 'authentication') <= 10)
    for (const one of kinds) assertLimited(await me(one), 'authentication')
    assertLimited(await service.request('/v1/businesses', { token: 'garbage' }), 'authentication')
  })

  it('do not keep those who have a valid one from the same address, known or new, while they are sent', async () => {
    const [known, unknown] = [service.person('Olivia'), service.person('Newcomer')]
    const workspace_id = await service.workspace('Harbor', known)
    const [key, newKey] = [
      await service.apiKey(workspace_id, known, ['workspace:read']),
      await service.apiKey(workspace_id, known, ['workspace:read']),
    ]
    assert.equal((await used(key.secret)).status, 200)
    await refuseOthers()
    const wellFormed = () => mintApiKey('test').secret
    const flood = Promise.all(Array.from({ length: 20 }, () => used(wellFormed())))
    const answers = await Promise.all([
      me({ authorization: `Bearer ${known.token}` }),
      me({ authorization: `Bearer ${unknown.token}` }),
      used(key.secret),
      used(newKey.secret),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    for (const answer of await flood) assertLimited(answer, 'authentication')
  })

  it('are told once what became of them where they were valid before, and then refused as the others are', async () => {
    const olivia = service.person('Olivia')
    const { key_id, secret } = await service.apiKey(await service.workspace('Harbor', olivia), olivia, [
      'workspace:read',
    ])
    assert.equal((await used(secret)).status, 200)
    await refuseOthers()
    await service.sql('update api_keys set revoked_at = now() where id = $1', [key_id])
    assert.equal(assertProblem(await used(secret), 'unauthenticated').detail, 'The API key was revoked.')
    assertLimited(await used(secret), 'authentication')
  })

  it('do not affect requests without a credential, which are not counted as invalid', async () => {
    for (let i = 0; i < 10; i++) {
      const answer = await me({})
      assertProblem(answer, 'unauthenticated')
      assert.equal(answer.headers.get('ratelimit'), null)
    }
    await untilRefused(() => me(bad[0] ?? {}))
    assert.equal((await service.request('/v1/businesses?limit=1')).status, 200)
    assert.equal((await service.request('/health')).status, 200)
    assertProblem(await me({}), 'unauthenticated')
  })

  it('are not what a good credential counts as, however often it is used', async () => {
    const { token } = service.person('Olivia')
    for (let i = 0; i < 20; i++) assert.equal((await me({ authorization: `Bearer ${token}` })).status, 200)
  })
})

describe('a request with X-Forwarded-For', () => {
  const notes = ({ logged }: TestService) => logged.filter(line => line.includes('X-Forwarded-For'))
  const ask = (service: TestService) =>
    service.request('/v1/businesses?limit=1', { headers: { 'x-forwarded-for': '192.0.2.1' } })

  it('from an address that is not named as a proxy makes the log say once what to set', async t => {
    const service = await startTestService()
    t.after(() => service.close())
    await service.request('/v1/businesses?limit=1')
    assert.deepEqual(notes(service), [])
    for (let i = 0; i < 3; i++) assert.equal((await ask(service)).status, 200)
    const [line = '{}', ...more] = notes(service)
    assert.deepEqual(more, [])
    const { level, setting, address, msg } = JSON.parse(line) as Record<string, unknown>
    assert.deepEqual([level, setting, address], [40, 'SVC_TRUSTED_PROXIES', undefined])
    assert.match(String(msg), /SVC_TRUSTED_PROXIES does not name the address/)
    assert.ok(!line.includes('192.0.2.1'))
  })

  it('from a proxy makes it say nothing', async t => {
    const service = await startTestService({ trustedProxies: ['127.0.0.0/8'] })
    t.after(() => service.close())
    assert.equal((await ask(service)).status, 200)
    assert.deepEqual(notes(service), [])
  })
})

describe('behind a trusted proxy', () => {
  let service: TestService
  beforeEach(
    async () =>
      void (service = await startTestService({
        rateLimitScale: 0.002,
        trustedProxies: ['127.0.0.0/8', '10.1.1.1'],
      })), // one search
  )
  afterEach(() => service.close())

  const from = (forwarded: string) =>
    service.request('/v1/businesses?limit=1', { headers: { 'x-forwarded-for': forwarded } })

  it('each address that it names is counted for itself', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:1:1::1', '2001:db8:1:2::1'])
      assert.equal((await from(address)).status, 200)
    for (const address of ['192.0.2.1', '::ffff:192.0.2.2', '2001:db8:1:1:ffff::2'])
      assertLimited(await from(address), 'search')
  })

  it('an address that the client put before the one the proxy saw is not trusted', async () => {
    assert.equal((await from('198.51.100.1, 192.0.2.1, 10.1.1.1')).status, 200)
    assertLimited(await from('198.51.100.2, 192.0.2.1'), 'search')
    assertLimited(await from('garbage, 192.0.2.1, 10.1.1.1'), 'search')
  })
})

describe('searches of the reference', () => {
  it('are counted by address, and its pages are not', async () => {
    const service = await startTestService({ rateLimitScale: 0.01 }) // six a minute
    const answers = await untilRefused(() => service.request('/docs/search?q=room'))
    assert.ok(answers.length <= 20, `${answers.length} searches`)
    assertLimited(answers.at(-1), 'search')
    for (let i = 0; i < 10; i++)
      assert.equal((await service.request('/docs/operations/get_room')).status, 200)
    await service.close()
  })
})
