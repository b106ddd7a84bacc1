import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Account } from './account.ts'
import { ENVIRONMENT, runnableBinaries } from './binaries.ts'
import { CLUSTER_BY_CWD, ensureCluster, SUPERUSER } from './cluster.ts'
import { codeOf, EmbeddedServerError } from './errors.ts'
import { lastLines, openLogFile } from './log-file.ts'
import {
  isListening,
  isPostmasterOf,
  PORT,
  readPidFile,
  removeEmptyLockFiles,
  shutDown,
} from './postmaster.ts'

const POLL_MS = 10
const OPENING_MS = 10_000
const TELL_AFTER_MS = 5000
// Sessions of a killed postmaster keep the cluster until they notice; those with long statements notice late.
const START_TIMEOUT_MS = 75_000

/** The paths, account and settings of one embedded server. */
export interface ServerSite {
  readonly cluster: string
  readonly logFile: string
  readonly lockFile: string
  readonly socketDir: string
  readonly account: Account
  readonly settings: Record<string, string>
  readonly log: Logger
}

/** The two log levels that the supervisor uses. */
export interface Logger {
  info(details: object, message?: string): void
  warn(details: object, message?: string): void
}

/** A server that answers: its process, whether it was already running, and an open session. */
export interface RunningServer {
  readonly pid: number
  readonly attached: boolean
  readonly session: Client
}

/**
 * Attaches to the postmaster that serves the cluster, or starts one. Call it in one process at a time. Aborting the
 * signal stops a server that is starting. Throws EmbeddedServerError.
 */
export async function startOrAttach(site: ServerSite, signal?: AbortSignal): Promise<RunningServer> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const found = readPidFile(site.cluster)
    const serving = found && (await isServing(site, found.pid, signal))
    const outcome = serving ? await attach(site, found.pid, signal) : await start(site, found?.pid, signal)
    if (typeof outcome === 'object') return outcome
    if (Date.now() > deadline) throw refused(outcome)
    await sleep(10 * POLL_MS)
  }
}

// A postmaster listens from shortly after it writes its pid file until it ends, also during recovery and shutdown.
async function isServing(site: ServerSite, pid: number, signal: AbortSignal | undefined) {
  for (const until = Date.now() + OPENING_MS; ; await sleep(POLL_MS, undefined, { signal })) {
    if (await isListening(site.socketDir)) return true
    if (!isPostmasterOf(site.cluster, pid) || Date.now() > until) return false
  }
}

async function attach(
  site: ServerSite,
  pid: number,
  signal: AbortSignal | undefined,
): Promise<RunningServer | string> {
  const session = await sessionWhenReady(site, () => isListening(site.socketDir), signal)
  if (!session) return 'the running server has just stopped'
  site.log.info({ pid }, 'attached to the running database server')
  return { pid, attached: true, session }
}

/** Starts a postmaster. Returns the end of its log if it was refused for a reason that may pass. */
async function start(
  site: ServerSite,
  stalePid: number | undefined,
  signal: AbortSignal | undefined,
): Promise<RunningServer | string> {
  const binaries = await binariesFor(site, signal)
  await ensureCluster(site.cluster, binaries, site.account, site.settings['fsync'] !== 'off', signal)
  await removeEmptyLockFiles(site.cluster)
  const log = openLogFile(site.logFile)
  const child = await launch(site, join(binaries.folder, 'bin/postgres'), stalePid, log.descriptor)
  const lives = () => child.exitCode === null && child.signalCode === null
  const session = await sessionWhenReady(site, lives, signal).catch(async (error: unknown) => {
    if (signal?.aborted) await shutDown(site.cluster, child.pid!)
    throw error
  })
  if (session) return { pid: child.pid!, attached: false, session }
  const said = lastLines(site.logFile, log.size)
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(said)) return said
  throw refused(said)
}

/** PostgreSQL's programs. Trying them blocks the event loop, so a signal is checked before and after. */
async function binariesFor(site: ServerSite, signal: AbortSignal | undefined) {
  await turn()
  signal?.throwIfAborted()
  const binaries = await runnableBinaries(site.account)
  await turn()
  signal?.throwIfAborted()
  return binaries
}

// In its own session and process group: Ctrl-C in the terminal is for the service, which then stops the server.
async function launch(site: ServerSite, postgres: string, stalePid: number | undefined, log: number) {
  const settings = Object.entries(site.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child: ChildProcess = spawn(postgres, ['-D', CLUSTER_BY_CWD, ...settings], {
    uid: site.account.uid,
    gid: site.account.gid,
    cwd: site.cluster,
    env: { ...ENVIRONMENT, ...ignoring(stalePid) },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  await once(child, 'spawn').catch((error: Error) => {
    throw refused(error.message)
  })
  return child
}

// The pid file of a dead postmaster may name a pid that another process has now. PostgreSQL would refuse to start; it
// ignores the pid in this variable, and still makes its other checks.
function ignoring(stalePid: number | undefined) {
  return stalePid ? { PG_GRANDPARENT_PID: String(stalePid) } : {}
}

async function sessionWhenReady(
  site: ServerSite,
  lives: () => boolean | Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<Client | undefined> {
  const since = Date.now()
  for (let told = false; await lives(); await sleep(POLL_MS, undefined, { signal })) {
    const session = readPidFile(site.cluster)?.status === 'ready' ? await tryConnect(site) : undefined
    if (session) return session
    if (told || Date.now() - since < TELL_AFTER_MS) continue
    told = true
    site.log.info({ log: site.logFile }, 'waiting for the database server to start, recover or stop')
  }
  return undefined
}

async function tryConnect(site: ServerSite): Promise<Client | undefined> {
  const session = new Client({
    host: site.socketDir,
    port: PORT,
    user: SUPERUSER,
    database: 'postgres',
    application_name: 'svc supervisor',
    connectionTimeoutMillis: 10_000,
    ssl: false,
  })
  session.on('error', () => {}) // 'end' reports it too, and has a listener
  try {
    await session.connect()
    return session
  } catch (error) {
    if (isPassing(codeOf(error))) return undefined
    throw error
  }
}

// 57P03: starting, recovering or stopping. 53300: too many connections, which come and go.
function isPassing(code: string | undefined) {
  return (
    code === undefined ||
    ['57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'EAGAIN'].includes(code)
  )
}

function refused(said: string) {
  return new EmbeddedServerError('start_failed', `PostgreSQL did not start. The end of its log:\n${said}`)
}
