import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { tmpdir } from 'node:os'
import pino from 'pino'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { defaultUploadSettings } from '../../src/files/uploads/upload.ts'
import { createApp, type App } from '../../src/app.ts'
import { openPools } from '../../src/database/database.ts'
import { mintApiKey } from '../../src/identity/api-key-format.ts'
import { createShutdown } from '../../src/shutdown.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestIssuer, type TestIssuer } from '../harness/issuer.ts'
import { severable, type SeverableDatabase } from './severable-database.ts'

describe('while the database cannot be reached', () => {
  let testDatabase: TestDatabase
  let way: SeverableDatabase
  let issuer: TestIssuer
  let app: App
  const shutdown = createShutdown()
  before(async () => {
    testDatabase = await createTestDatabase()
    way = await severable(testDatabase.address)
    issuer = await startTestIssuer()
    const log = pino({ level: 'silent' })
    const database = openPools(way.address, log)
    shutdown.add('database', () => database.close())
    app = createApp({
      database,
      blobs: createFilesystemStore(tmpdir()),
      storage: { workspace_bytes: null, guest_bytes: null },
      plugins: new Map(),
      uploads: defaultUploadSettings,
      jobs: { send: () => Promise.reject(new Error('No job is asked for here.')) },
      issuers: [{ issuer: issuer.issuer, audience: issuer.audience }],
      signIn: [],
      environment: 'test',
      secret: Buffer.from('a secret for tests'),
      now: () => new Date(),
      baseUrl: () => 'http://service.test',
      rateLimitScale: 1, // requests that cannot be counted while the database is down are admitted
      trustedProxies: [],
      log,
      shutdown,
    })
  })
  after(async () => {
    await shutdown.close()
    await issuer.close()
    await way.close()
    await testDatabase.drop()
  })

  const get = (url: string, headers: Record<string, string> = {}) =>
    app.server.inject({ method: 'GET', url, headers })
  const create = () =>
    app.server.inject({
      method: 'POST',
      url: '/v1/workspaces',
      payload: { name: 'Harbor' },
      headers: { authorization: `Bearer ${issuer.sign()}`, 'idempotency-key': crypto.randomUUID() },
    })

  it('GET /ready answers 503 and when to ask again, GET /health goes on, and both recover by themselves', async () => {
    assert.equal((await get('/ready')).statusCode, 200)
    way.cut()
    for (let i = 0; i < 3; i++) {
      const refused = await get('/ready')
      assert.equal(refused.statusCode, 503)
      assert.equal(refused.headers['content-type'], 'application/problem+json; charset=utf-8')
      assert.ok(Number(refused.headers['retry-after']) >= 1)
      const { code, retryable, status } = refused.json()
      assert.deepEqual({ code, retryable, status }, { code: 'unavailable', retryable: true, status: 503 })
      const health = await get('/health')
      assert.equal(health.statusCode, 200)
      assert.equal(health.json().status, 'ok')
    }
    way.mend()
    const ready = await get('/ready')
    assert.equal(ready.statusCode, 200)
    assert.deepEqual(Object.keys(ready.json()).sort(), ['request_id', 'status'])
    assert.equal(ready.json().status, 'ready')
  })

  it('reads and changes answer 503 and when to ask again, and go on once it is back', async () => {
    assert.equal((await create()).statusCode, 201)
    way.cut()
    const headers = { authorization: `Bearer ${issuer.sign()}` }
    for (const answer of [
      await get('/v1/businesses'),
      await get('/v1/me', headers),
      await get('/v1/workspaces', headers),
      await create(),
    ]) {
      assert.equal(answer.statusCode, 503)
      assert.equal(answer.json().code, 'unavailable')
      assert.ok(Number(answer.headers['retry-after']) >= 1)
      assert.doesNotMatch(answer.body, /ECONN|terminated|postgres|127\.0\.0\.1/)
    }
    way.mend()
    assert.equal((await get('/v1/businesses')).statusCode, 200)
    assert.equal((await get('/v1/me', headers)).statusCode, 200)
    assert.equal((await create()).statusCode, 201)
  })

  it('an API key is neither taken nor refused', async () => {
    way.cut()
    const answer = await get('/v1/me', { 'x-svc-api-key': mintApiKey('test').secret })
    assert.equal(answer.statusCode, 503)
    assert.ok(Number(answer.headers['retry-after']) >= 1)
    way.mend()
    assert.equal((await get('/v1/me', { 'x-svc-api-key': mintApiKey('test').secret })).statusCode, 401)
  })
})
