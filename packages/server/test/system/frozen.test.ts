import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startFaultProxy } from '../harness/postgres/fault-proxy.ts'
import { startTestService } from '../harness/service.ts'
import { startPausableService } from '../harness/pausable-service.ts'
import { eventually } from '../harness/eventually.ts'

describe('GET /ready', () => {
  it('answers 503 within two seconds while the database says nothing, and recovers by itself', async t => {
    const proxy = await startFaultProxy()
    const service = await startTestService()
    t.after(async () => {
      proxy.mend()
      await service.close()
      await proxy.close()
    })
    const ready = () => service.request('/ready')
    assert.equal((await ready()).status, 200)
    proxy.freeze()
    for (let n = 0; n < 3; n++) {
      const start = performance.now()
      const answers = await Promise.all([ready(), ready(), ready()])
      assert.ok(performance.now() - start < 2_500, `${performance.now() - start} ms`)
      for (const { status, body, headers } of answers) {
        assert.deepEqual([status, body.code], [503, 'unavailable'])
        assert.ok(Number(headers.get('retry-after')) >= 1)
      }
    }
    proxy.mend()
    await eventually(async () => (await ready()).status === 200)
  })

  it('waits behind no other statement', async t => {
    const { service, olivia, lock } = await startPausableService(t)
    let answered = 0
    const reads = Array.from({ length: 16 }, () =>
      service.request('/v1/workspaces', { token: olivia.token }).finally(() => answered++),
    )
    await lock.keepsWaiting(2)
    assert.equal((await service.request('/ready')).status, 200)
    assert.equal(answered, 0)
    await lock.release()
    await Promise.all(reads)
  })
})
