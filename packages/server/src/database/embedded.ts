import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor } from './embedded/account.ts'
import { SUPERUSER } from './embedded/cluster.ts'
import { EmbeddedServerError, errorOutput } from './embedded/errors.ts'
import { withFileLock } from './embedded/file-lock.ts'
import { truncateLongLog } from './embedded/log-file.ts'
import { isListening, PORT, readPidFile, shutDown } from './embedded/postmaster.ts'
import { FIXED_SETTINGS, DEFAULT_SETTINGS } from './embedded/settings.ts'
import { openSocketFolder } from './embedded/socket-folder.ts'
import type { Logger, RunningServer, ServerSite } from './embedded/start.ts'
import { startOrAttach } from './embedded/start.ts'

/** A PostgreSQL server of the service's own, reached as `{ host: socketDir, port, user, database }`. */
export interface EmbeddedServer {
  readonly socketDir: string
  readonly port: number
  readonly user: string
  /** The postmaster's process id; another one after it was killed and brought back. */
  readonly pid: number
  /** Whether it was running already when it was opened. */
  readonly attached: boolean
  /** Stops the server, cutting all sessions, and waits until it is gone. May be called again. */
  stop(): Promise<void>
  /** Lets go of the server, and stops it if this process started it and nobody else is connected. */
  release(): Promise<void>
}

export interface EmbeddedOptions {
  /** The folder for the cluster (`postgres`), its log and its lock; made when missing. */
  readonly dataDir: string
  readonly log: Logger
  /** PostgreSQL settings over the usual ones, for a server that is started, not adopted. */
  readonly settings?: Record<string, string>
  /** Breaks the opening off; what was started for it is stopped. */
  readonly signal?: AbortSignal | undefined
}

const BOUND_LOG_EVERY_MS = 3_600_000
const LONGEST_PAUSE_MS = 30_000
const DEPARTING_MS = 500

/**
 * Opens the PostgreSQL server in a data folder: adopts the one that runs there, after a crash of this service
 * perhaps, or starts it, making the cluster the first time. While it is open it is brought back when it dies,
 * and keeps this process alive until stopped or released.
 * Throws EmbeddedServerError with a message for the operator.
 */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const cluster = join(dataDir, 'postgres')
  const account = accountFor(cluster)
  const socketFolder = openSocketFolder(cluster)
  const site: ServerSite = {
    cluster,
    account,
    logFile: join(dataDir, 'postgres.log'),
    lockFile: join(dataDir, 'postgres.lock'),
    socketDir: socketFolder.path,
    settings: { ...DEFAULT_SETTINGS, ...options.settings, ...FIXED_SETTINGS },
    log: options.log,
  }
  try {
    const running = await exclusively(site, () => startOrAttach(site, options.signal), options.signal)
    return supervise(site, running, socketFolder.close)
  } catch (error) {
    socketFolder.close()
    throw error
  }
}

function supervise(site: ServerSite, first: RunningServer, closeSocketFolder: () => void): EmbeddedServer {
  let running = first
  let reviving = Promise.resolve()
  let closing: Promise<void> | undefined
  const closed = new AbortController()
  const bounding = setInterval(() => truncateLongLog(site.logFile), BOUND_LOG_EVERY_MS).unref()

  // The session held open tells of the server's death, and tells others that somebody depends on it.
  const watch = () => {
    running.session.once('end', () => {
      if (!closed.signal.aborted) reviving = revive()
    })
  }
  const revive = async () => {
    site.log.warn({ pid: running.pid }, 'lost the database server; bringing it back')
    for (let pause = 100; !closed.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const next = await exclusively(site, () => startAgain(site))
        running = next.pid === running.pid ? { ...next, attached: running.attached } : next
        return watch()
      } catch (error) {
        site.log.warn({ error: errorOutput(error) }, 'the database server does not come back yet')
        await sleep(pause, undefined, { ref: false, signal: closed.signal }).catch(() => {})
      }
    }
  }
  const close = async (isToStop: () => Promise<boolean>) => {
    closed.abort()
    clearInterval(bounding)
    await reviving
    try {
      await exclusively(site, () => letGo(site, running, isToStop))
    } finally {
      closeSocketFolder()
    }
  }

  watch()
  return {
    socketDir: site.socketDir,
    port: PORT,
    user: SUPERUSER,
    get pid() {
      return running.pid
    },
    get attached() {
      return running.attached
    },
    stop: () => (closing ??= close(async () => true)),
    release: () => (closing ??= close(async () => !running.attached && (await isDeserted(running)))),
  }
}

// Where the folder was removed under a running service, an empty new cluster would only hide that.
function startAgain(site: ServerSite) {
  if (existsSync(site.cluster)) return startOrAttach(site)
  throw new EmbeddedServerError('start_failed', `The database's folder ${site.cluster} is gone.`)
}

// Under the lock throughout, so that nobody adopts a server that was just found deserted.
async function letGo(site: ServerSite, { pid, session }: RunningServer, isToStop: () => Promise<boolean>) {
  const stopping = await isToStop()
  await session.end()
  if (!stopping) return
  await shutDown(site.cluster, readPidFile(site.cluster)?.pid ?? pid)
  if (!(await isListening(site.socketDir))) return
  throw new EmbeddedServerError(
    'stop_failed',
    'The database server runs where it cannot be stopped from here.',
  )
}

/** Whether no other session is left; one whose client just went may take a moment to end. */
async function isDeserted({ session }: RunningServer) {
  const others =
    "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
  for (const until = Date.now() + DEPARTING_MS; Date.now() < until; await sleep(DEPARTING_MS / 20)) {
    const answer = await session.query(others).catch(() => undefined)
    if (!answer || answer.rowCount === 0) return answer !== undefined
  }
  return false
}

function exclusively<T>(site: ServerSite, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const tell = () => site.log.info({}, 'waiting for another process that starts or stops the database server')
  return withFileLock(site.lockFile, tell, work, signal)
}
