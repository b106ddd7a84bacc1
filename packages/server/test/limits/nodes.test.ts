import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'node:test'
import pg from 'pg'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertLimited, told, untilRefused } from './answers.ts'
import { startOtherNode } from '../harness/other-node.ts'

describe('two nodes', () => {
  for (const [scale, quota] of [
    [0.01, 60],
    [0.1, 600], // here they have leased tokens, and do not ask for each
  ] as const)
    it(`together let in ${quota} where ${quota} is the quota, and what came back meanwhile`, async context => {
      const service = await startTestService({ rateLimitScale: scale })
      context.after(() => service.close())
      const other = await startOtherNode(service, { rateLimitScale: scale })
      context.after(() => other.close())
      const { token } = service.person('Olivia')
      const began = performance.now()
      let letIn = 0
      const client = async (base_url: string) => {
        for (let i = 0; i < quota / 8; i++) {
          const { status } = await fetch(`${base_url}/v1/me`, {
            headers: { authorization: `Bearer ${token}` },
          })
          assert.ok(status === 200 || status === 429)
          if (status === 200) letIn++
        }
      }
      const bases = Array.from({ length: 12 }, (_, i) => (i % 2 ? service.base_url : other.base_url))
      await Promise.all(bases.map(client))
      const cameBack = (((performance.now() - began) / 1000) * quota) / 60
      assert.ok(letIn <= quota + cameBack, `${letIn} were let in, ${cameBack} came back`)
      assert.ok(letIn >= quota, `${letIn} were let in`)
    })

  it('tell of what is left after what the other has let in', async context => {
    const service = await startTestService({ rateLimitScale: 0.001 })
    context.after(() => service.close())
    const other = await startOtherNode(service, { rateLimitScale: 0.001 })
    context.after(() => other.close())
    const { token } = service.person('Olivia')
    for (let i = 0; i < 3; i++) await service.request('/v1/me', { token })
    const answer = await fetch(`${other.base_url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(told(answer, 'read').left, 2)
  })
})

describe('if requests cannot be counted, they are admitted', () => {
  const start = async (context: { after(hook: () => Promise<void>): void }) => {
    const service = await startTestService({ rateLimitScale: 0.001 })
    context.after(() => service.close())
    return { service, token: service.person('Olivia').token }
  }
  const warnings = ({ logged }: TestService) =>
    logged.filter(line => line.includes('rate limits cannot be checked'))

  it('and are counted again when that is over, while the log says it once', async context => {
    const { service, token } = await start(context)
    const me = () => service.request('/v1/me', { token })
    await service.sql('alter table rate_limits rename to elsewhere')
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await me()
      assert.equal(status, 200)
      assert.equal(headers.get('ratelimit-policy'), '"read";q=6;w=60')
      assert.equal(headers.get('ratelimit'), null)
    }
    const bad = await service.request('/v1/me', { token: 'garbage' })
    assert.equal(bad.status, 401)
    assert.equal(warnings(service).length, 1)
    await service.sql('alter table elsewhere rename to rate_limits')
    await sleep(2_000) // for so long the store is not asked
    assert.equal((await untilRefused(me)).length, 7)
    assertLimited(await me(), 'read')
  })

  it('and wait for it no longer than a moment', async context => {
    const { service, token } = await start(context)
    const blocker = new pg.Client({ ...service.testDatabase.address, options: '-c search_path=svc' })
    await blocker.connect()
    await blocker.query('begin; lock table rate_limits in access exclusive mode')
    const began = performance.now()
    for (let i = 0; i < 20; i++) assert.equal((await service.request('/v1/me', { token })).status, 200)
    // If each waited for the lock, it would take a quarter of a second for each.
    assert.ok(performance.now() - began < 4_000)
    await blocker.end()
  })
})
