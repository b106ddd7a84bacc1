import pino from 'pino'
import { createApp } from '../../src/app.ts'
import { openPools } from '../../src/database/database.ts'
import { createShutdown } from '../../src/shutdown.ts'
import { testSecret, type TestService } from './service.ts'

/** Another node of a service, with the same database and issuer, and nothing else in common. */
export async function startOtherNode(
  {
    testDatabase,
    issuer,
    blobs,
    uploads,
  }: Pick<TestService, 'testDatabase' | 'issuer' | 'blobs' | 'uploads'>,
  { rateLimitScale = 0, now = () => new Date() }: { rateLimitScale?: number; now?: () => Date } = {},
): Promise<{ base_url: string; close(): Promise<void> }> {
  const log = pino({ level: 'silent' })
  const database = openPools(testDatabase.address, log)
  const shutdown = createShutdown()
  shutdown.add('database', () => database.close())
  let base_url = ''
  const { server } = createApp({
    database,
    blobs,
    storage: { workspace_bytes: null, guest_bytes: null },
    plugins: new Map(),
    uploads,
    jobs: { send: () => Promise.reject(new Error('No job is asked for here.')) },
    issuers: [{ issuer: issuer.issuer, audience: issuer.audience }],
    signIn: [],
    environment: 'test',
    secret: testSecret,
    now,
    baseUrl: () => base_url,
    rateLimitScale,
    trustedProxies: [],
    log,
    shutdown,
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  base_url = server.listeningOrigin
  return {
    base_url,
    close: () => shutdown.close(),
  }
}
