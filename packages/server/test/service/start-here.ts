import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import type { Quickstart } from '../../src/quickstart/quickstart-file.ts'
import { startService, type RunningService } from '../../src/service.ts'
import type { DataFolder } from '../harness/process.ts'

/** Starts the service in this process, which takes less than a process of its own. It inherits no settings. */
export const startHere = ({ path }: DataFolder, env: Record<string, string>): Promise<RunningService> =>
  startService(
    readConfig({ SVC_DATA_DIR: path, PORT: '0', ...env }),
    pino({ level: 'silent' }),
    new AbortController().signal,
  )

/** What the quickstart file in a data folder says. */
export const quickstartIn = async ({ path }: DataFolder): Promise<Quickstart> =>
  JSON.parse(await readFile(join(path, 'quickstart.json'), 'utf8')) as Quickstart
