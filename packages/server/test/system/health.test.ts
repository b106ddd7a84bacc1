import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sortedJson } from '../../src/call/commands/claim-key.ts'
import { startTestService, type TestService } from '../harness/service.ts'

describe('GET /health', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('answers five properties, and no more', async () => {
    const { status, headers, body } = await service.request('/health')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.deepEqual(Object.keys(body), ['service', 'environment', 'status', 'schema_version', 'schema_hash'])
    const { schema_hash, ...rest } = body
    assert.deepEqual(rest, {
      service: 'svc',
      environment: 'test',
      status: 'ok',
      schema_version: '0.2.0-api.20',
    })
    assert.match(schema_hash, /^sha256:[0-9a-f]{64}$/)
  })

  it('hashes the OpenAPI document that it serves', async () => {
    const { body: document } = await service.request('/openapi.json')
    const digest = createHash('sha256').update(sortedJson(document)).digest('hex')
    assert.equal((await service.anonymous.health()).schema_hash, `sha256:${digest}`)
  })

  it('looks at no credentials and no Workspace', async () => {
    const cases: Record<string, string>[] = [
      { authorization: 'Bearer garbage' },
      { authorization: 'garbage' },
      { 'x-svc-api-key': 'garbage' },
      { authorization: 'Bearer garbage', 'x-svc-api-key': 'garbage' },
      { 'svc-workspace-id': 'garbage', 'idempotency-key': 'x' },
    ]
    for (const headers of cases) {
      const answer = await service.request('/health', { headers })
      assert.equal(answer.status, 200, JSON.stringify(headers))
      assert.equal(answer.headers.get('www-authenticate'), null)
    }
  })

  it('reveals nothing of the services it is connected to', async () => {
    const { text, headers } = await service.request('/health')
    const all = text + JSON.stringify([...headers])
    for (const secret of [service.issuer.issuer, service.testDatabase.url, 'postgres', 'a secret for tests'])
      assert.equal(all.includes(secret), false)
  })

  it('is not under /v1', async () => {
    assert.equal((await service.request('/v1/health')).status, 404)
  })
})
