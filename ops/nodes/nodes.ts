import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProcess, type MeasuredProcess } from '../../bench/service-process.ts'
import { startTestIssuer } from '../../packages/server/test/harness/issuer.ts'
import type { ScriptDatabase } from './database.ts'

const main = new URL('../../packages/server/src/main.ts', import.meta.url)
// As `npm start` has it.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))

/** Nodes of the service with the same settings, but for their ports. */
export interface Nodes {
  /** A token of a person, which every node accepts. */
  access_token: string
  start(port: number, env?: Record<string, string>): Promise<MeasuredProcess>
}

/**
 * Prepares nodes that are set up as in production: with an issuer, without rate limits, and with a folder for the content
 * of Files that all of them use.
 */
export async function prepareNodes(
  running: AsyncDisposableStack,
  database: Pick<ScriptDatabase, 'folder' | 'url'>,
  shared: Record<string, string> = {},
): Promise<Nodes> {
  const issuer = await startTestIssuer()
  running.defer(() => issuer.close())
  const sub = 'operator'
  const claims = { ...issuer.claims(), sub, email: `${sub}@example.com`, email_verified: true, name: sub }
  return {
    access_token: issuer.sign(claims),
    start: (port, env = {}) =>
      startProcess(main, {
        NODE_COMPILE_CACHE,
        SVC_DATA_DIR: join(database.folder, 'files'),
        DATABASE_URL: database.url,
        HOST: '127.0.0.1',
        PORT: String(port),
        LOG_LEVEL: 'warn',
        RATE_LIMIT_SCALE: '0',
        SVC_TRUSTED_PROXIES: '127.0.0.1',
        OIDC_ISSUERS: issuer.issuer,
        OIDC_AUDIENCE: issuer.audience,
        ...shared,
        ...env,
      }),
  }
}
