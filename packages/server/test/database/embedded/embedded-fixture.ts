import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { fillWithCluster } from '../../harness/postgres/prepared-folder.ts'
import type { EmbeddedServer } from '../../../src/database/embedded.ts'
import { openEmbeddedServer } from '../../../src/database/embedded.ts'
import { readPidFile, shutDown } from '../../../src/database/embedded/postmaster.ts'
import { quietLog } from '../../harness/quiet-log.ts'

const SOURCE = new URL('../../../src/database/embedded.ts', import.meta.url)

/** Opens the server in `dataDir` without logging, and without durability, which would cost seconds. */
export const openServer = (dataDir: string, settings: Record<string, string> = {}) =>
  openEmbeddedServer({ dataDir, log: quietLog, settings: { fsync: 'off', ...settings } })

/** A data folder that is removed after the test, with any server that still runs in it. */
export function temporaryDataDir(t: TestContext, name = 'data'): string {
  const root = mkdtempSync(join(tmpdir(), 'wbs-embedded-'))
  const dataDir = join(root, name)
  t.after(async () => {
    await killOpeners() // otherwise they restart the server
    const cluster = join(dataDir, 'postgres')
    await shutDown(cluster, readPidFile(cluster)?.pid ?? 0).catch(ignoreMissing)
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })
  return dataDir
}

/** A data folder with a cluster that nobody has used, removed as `temporaryDataDir` removes it. */
export async function dataDirWithCluster(t: TestContext): Promise<string> {
  const dataDir = temporaryDataDir(t)
  mkdirSync(dataDir)
  await fillWithCluster(dataDir)
  return dataDir
}

/** Runs one statement over a connection of its own. */
export async function query(server: EmbeddedServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connectTo(server)
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A connection like those of the service's pool. Errors of a killed server are checked elsewhere. */
export async function connectTo({ socketDir, port, user }: EmbeddedServer): Promise<Client> {
  const client = new Client({ host: socketDir, port, user, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The report of another process that opened the server and then waits. */
export interface Opened {
  readonly process: ChildProcess
  readonly pid: number
  readonly attached: boolean
}

/** Opens the server in a Node process of its own, the leader of its process group as under a terminal. */
export async function openElsewhere(dataDir: string, source = SOURCE): Promise<Opened> {
  const child = spawnOpener(dataDir, source)
  const exit = once(child, 'exit').then(([code]) => assert.fail(`the opener ended with ${code}`))
  const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout!), 'line'), exit])
  const said: { pid: number; attached: boolean } = JSON.parse(String(line))
  return { process: child, ...said }
}

/** Starts the process of `openElsewhere` without waiting for its server. */
export function spawnOpener(dataDir: string, source = SOURCE): ChildProcess {
  const script = `
    const { openEmbeddedServer } = await import(${JSON.stringify(source.href)})
    const log = { info() {}, warn() {} }
    const server = await openEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } })
    console.log(JSON.stringify({ pid: server.pid, attached: server.attached }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  openers.push(child)
  return child
}

const openers: ChildProcess[] = []

async function killOpeners() {
  for (const child of openers.splice(0)) {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  }
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
