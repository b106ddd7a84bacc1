import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Owner } from './mutations-load.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'

export interface StartedService extends MeasuredProcess {
  owner: Owner
}

/** Starts a service, of this checkout or another, on a data folder of its own, without rate limits and sample data. */
export async function startService(
  main: string,
  folder: string,
  env: Record<string, string> = {},
): Promise<StartedService> {
  await mkdir(folder, { recursive: true })
  const service = await startProcess(main, {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_SCALE: '0',
    SVC_SAMPLE_DATA: 'off',
    DATABASE_URL: '',
    ...env,
  })
  const { users } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as {
    users: { owner: Owner }
  }
  return { ...service, owner: users.owner }
}

/** A service in a folder that is removed at the end, with a session in its database. `running` ends all of it. */
export async function startWithDatabase(running: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
  const service = await startService(main, folder)
  running.defer(() => service.stop())
  const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
  const client = new pg.Client(address)
  await client.connect()
  running.defer(() => client.end())
  return { folder, service, address, client }
}

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
