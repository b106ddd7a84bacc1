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

/** The embedded PostgreSQL server, reached as `{ host: socketDir, port, user, database }`. */
export interface EmbeddedServer {
  readonly socketDir: string
  readonly port: number
  readonly user: string
  /** The postmaster's process id. It changes when the server is restarted after a crash. */
  readonly pid: number
  /** Whether the server was already running when it was opened. */
  readonly attached: boolean
  /** Stops the server, ending all sessions, and waits until it is gone. May be called again. */
  stop(): Promise<void>
  /** Disconnects from the server, and stops it if this process started it and nobody else is connected. */
  release(): Promise<void>
}

export interface EmbeddedOptions {
  /** The folder of the cluster (`postgres`), its log and its lock. Created if missing. */
  readonly dataDir: string
  readonly log: Logger
  /** PostgreSQL settings that override the defaults, for a server that is started and not attached to. */
  readonly settings?: Record<string, string>
  /** Aborts the opening; what it started is stopped. */
  readonly signal?: AbortSignal | undefined
}

const BOUND_LOG_EVERY_MS = 3_600_000
const LONGEST_PAUSE_MS = 30_000
const DEPARTING_MS = 500

/**
 * Opens the PostgreSQL server in a data folder: attaches to the one that runs there, for example after a crash of this
 * service, or starts it, creating the cluster the first time. While it is open, it is restarted when it dies, and it
 * keeps this process alive until it is stopped or released. Throws EmbeddedServerError with a message for the operator.
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

  // An open session: its end reports the server's death, and other processes see that somebody uses the server.
  const watch = () => {
    running.session.once('end', () => {
      if (!closed.signal.aborted) reviving = revive()
    })
  }
  const revive = async () => {
    site.log.warn({ pid: running.pid }, 'lost the database server; restarting it')
    for (let pause = 100; !closed.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const next = await exclusively(site, () => startAgain(site))
        running = next.pid === running.pid ? { ...next, attached: running.attached } : next
        return watch()
      } catch (error) {
        site.log.warn({ error: errorOutput(error) }, 'the database server cannot be restarted yet')
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

// If the folder was removed under a running service, creating an empty cluster would only hide that.
function startAgain(site: ServerSite) {
  if (existsSync(site.cluster)) return startOrAttach(site)
  throw new EmbeddedServerError('start_failed', `The database's folder ${site.cluster} is gone.`)
}

// Holds the lock throughout, so that nobody attaches to a server that was just found unused.
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

/** Whether no other session is left. A session whose client has just gone may take a moment to end. */
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
  const tell = () => site.log.info({}, 'waiting for another process to start or stop the database server')
  return withFileLock(site.lockFile, tell, work, signal)
}
