import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../harness/service.ts'

// The answer while the database is unreachable is tested in outage.test.ts.
describe('GET /ready', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('says that requests can be served', async () => {
    const { status, headers, body } = await service.request('/ready')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.deepEqual(body, { status: 'ready', request_id: headers.get('svc-request-id') })
  })

  it('looks at no credentials', async () => {
    for (const headers of [{ authorization: 'Bearer garbage' }, { 'x-svc-api-key': 'garbage' }] as Record<
      string,
      string
    >[])
      assert.equal((await service.request('/ready', { headers })).status, 200)
  })
})
