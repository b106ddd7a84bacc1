import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Quickstart } from '../../src/quickstart/quickstart-file.ts'
import { fillFromPrepared } from './postgres/prepared-folder.ts'

const ownMain = new URL('../../src/main.ts', import.meta.url).pathname

/** The service as a process, as `npm start` runs it. */
export interface ServiceProcess {
  base_url: string
  pid: number
  /** Its output so far. */
  output(): string
  quickstart(): Promise<Quickstart>
  /** Sends a signal and waits for the end; gives the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/** The data folder of a test. */
export interface DataFolder {
  path: string
  /** Starts a service on it and waits until it listens: this version, or the one of a given main file. */
  start(env?: Record<string, string>, main?: string): Promise<ServiceProcess>
  /** Stops everything that runs on it, and removes it. */
  remove(): Promise<void>
}

/**
 * Makes a data folder in which a service has run before, without the sample: on it another one starts twice as fast as on
 * an empty one.
 */
export const usedDataFolder = (test?: FolderOwner): Promise<DataFolder> =>
  preparedDataFolder('used-data-folder', { SVC_SAMPLE_DATA: 'off' }, test)

/** Makes a data folder in which a service has run before, with the sample: for services that are started with it. */
export const sampleDataFolder = (test?: FolderOwner): Promise<DataFolder> =>
  preparedDataFolder('sample-data-folder', {}, test)

async function preparedDataFolder(
  name: string,
  env: Record<string, string>,
  test?: FolderOwner,
): Promise<DataFolder> {
  const folder = await dataFolder(test)
  await fillFromPrepared(folder.path, name, async path => {
    const service = await startServiceProcess({ SVC_DATA_DIR: path, ...env }, ownMain)
    await service.end()
  })
  return folder
}

/** The test that a data folder ends with. */
interface FolderOwner {
  after(hook: () => Promise<void>): void
}

/** Makes an empty data folder. With a test given, it is gone when the test ends, and so is all that runs in it. */
export async function dataFolder(test?: FolderOwner): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'wbs-service-'))
  const started: ServiceProcess[] = []
  async function remove(): Promise<void> {
    await Promise.all(started.map(service => service.end()))
    const pid = postmasterOf(path)
    if (pid !== null) process.kill(pid, 'SIGINT')
    while (postmasterOf(path) !== null) await sleep(20)
    await rm(path, { recursive: true, force: true })
  }
  test?.after(remove)
  return {
    path,
    remove,
    async start(env = {}, main = ownMain) {
      const service = await startServiceProcess({ SVC_DATA_DIR: path, ...env }, main)
      started.push(service)
      return service
    },
  }
}

/** The service does not inherit settings from the environment. */
async function startServiceProcess(env: Record<string, string>, main: string): Promise<ServiceProcess> {
  const { child, output, ended } = launch(env, main)
  for (;;) {
    const url = /listens on (http:\S+)/.exec(output())?.[1]
    if (url !== undefined) return running(child, url, output, ended, env.SVC_DATA_DIR ?? '')
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The service did not start: ${output()}`)
    await sleep(10)
  }
}

/** Starts a service that is expected to fail, and gives its output and exit code. */
export async function failToStart(
  env: Record<string, string>,
  main = ownMain,
): Promise<{ code: number | NodeJS.Signals | null; output: string }> {
  const { output, ended } = launch(env, main)
  return { code: await ended, output: output() }
}

/** Starts the service without waiting for anything. */
export function launch(env: Record<string, string>, main = ownMain) {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(SVC_|OIDC_|OTEL_|RATE_LIMIT_|DATABASE_URL$|PORT$|HOST$|LOG_LEVEL$|NODE_)/.test(name),
    ),
  )
  const child = spawn(process.execPath, [main], {
    env: { ...inherited, ...codeCache(main), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk))
  const ended = new Promise<number | NodeJS.Signals | null>(resolve =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  )
  return { child, output: () => text, ended }
}

/** This version's code is cached as `npm start` has it cached. An earlier version is in another folder each time. */
function codeCache(main: string): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return main === ownMain && NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
}

function running(
  child: ChildProcess,
  base_url: string,
  output: () => string,
  ended: Promise<number | NodeJS.Signals | null>,
  dataDir: string,
): ServiceProcess {
  return {
    base_url,
    pid: child.pid as number,
    output,
    quickstart: async () =>
      JSON.parse(await readFile(join(dataDir, 'quickstart.json'), 'utf8')) as Quickstart,
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** The process id of the embedded server of a data folder, or null. */
export function postmasterOf(dataDir: string): number | null {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  return isAlive(pid) ? pid : null
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
