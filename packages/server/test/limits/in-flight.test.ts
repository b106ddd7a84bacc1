import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { startPausableService } from '../harness/pausable-service.ts'
import { startTestService } from '../harness/service.ts'

describe('a caller with many requests in flight', () => {
  it('is refused at the 33rd, until one has ended', async t => {
    const { service, olivia, lock } = await startPausableService(t, { rateLimitScale: 1 })
    const list = () => service.request('/v1/workspaces', { token: olivia.token })
    const all = Array.from({ length: 33 }, list)
    const refused = await Promise.race(all)
    assert.deepEqual(
      [
        refused.status,
        refused.body.code,
        refused.body['violated-policies'],
        refused.headers.get('retry-after'),
      ],
      [429, 'rate_limited', ['in_flight'], '1'],
    )
    assert.equal((await service.request('/v1/businesses')).status, 200)
    await lock.release()
    const answers = await Promise.all(all)
    assert.equal(answers.filter(({ status }) => status === 429).length, 1)
    assert.equal((await list()).status, 200)
  })

  it('may have any number where the rate limits are off', async t => {
    const { service, olivia, lock } = await startPausableService(t, { rateLimitScale: 0 })
    let answered = 0
    const all = Array.from({ length: 100 }, () =>
      service.request('/v1/workspaces', { token: olivia.token }).finally(() => answered++),
    )
    await lock.keepsWaiting(2)
    assert.equal(answered, 0)
    await lock.release()
    for (const { status } of await Promise.all(all)) assert.equal(status, 200)
  })

  it('has all 64 duplicates of a change answered', async t => {
    const service = await startTestService({ rateLimitScale: 1 })
    t.after(() => service.close())
    const olivia = service.person('Olivia')
    const idempotency_key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        olivia.client.createWorkspace({ name: 'Harbor' }, { idempotency_key }),
      ),
    )
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    assert.equal(new Set(answers.map(answer => answer.workspace.id)).size, 1)
  })
})
