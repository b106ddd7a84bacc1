import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
