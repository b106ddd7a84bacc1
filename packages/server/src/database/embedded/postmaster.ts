import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLUSTER_BY_CWD } from './cluster.ts'
import { codeOf, EmbeddedServerError } from './errors.ts'

/** The port in the name of the socket. The folder is private, so it cannot conflict. */
export const PORT = 5432
const SOCKET = `.s.PGSQL.${PORT}`
const STATUS_LINE = 7
const POLL_MS = 10
const FAST_SHUTDOWN_MS = 60_000
const IMMEDIATE_SHUTDOWN_MS = 10_000

/** The content of a cluster's postmaster.pid: the process, and `starting`, `ready` or `stopping`. */
export interface PidFile {
  readonly pid: number
  readonly status: string
}

/** The pid file of `cluster`, or undefined if there is none. A pid of 0 means that it is unreadable. */
export function readPidFile(cluster: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Math.max(0, Number.parseInt(lines[0]!, 10) || 0), status: lines[STATUS_LINE]?.trim() ?? '' }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Whether process `pid` is a running postmaster of `cluster`, and not another program that got the same pid. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  return process.platform === 'linux' ? worksIn(cluster, pid) : /postgres.* -D \./.test(commandLine(pid))
}

/** Whether a postmaster listens on the socket in `socketDir`. Throws if permissions forbid to find out. */
export function isListening(socketDir: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(socketDir, SOCKET))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES' || error.code === 'EPERM') reject(error)
      else resolve(error.code === 'EAGAIN') // a full queue means that somebody listens
    })
  })
}

/**
 * Stops postmaster `pid` of `cluster` and waits until it is gone. Sessions are ended and their transactions rolled
 * back. Throws EmbeddedServerError.
 */
export async function shutDown(cluster: string, pid: number): Promise<void> {
  for (const [signal, timeout] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS], // without a checkpoint; the next start recovers from the log
  ] as const) {
    if (isPostmasterOf(cluster, pid)) process.kill(pid, signal)
    if (await isGoneWithin(timeout, cluster, pid)) return
  }
  throw new EmbeddedServerError('stop_failed', `PostgreSQL (process ${pid}) does not stop.`)
}

/**
 * Removes empty lock files, which a power failure can leave behind and which keep PostgreSQL from starting. A server
 * that is just starting writes to its own within the second.
 */
export async function removeEmptyLockFiles(cluster: string): Promise<void> {
  const empty = ['postmaster.pid', `${SOCKET}.lock`].map(name => join(cluster, name)).filter(isEmpty)
  if (empty.length === 0) return
  await sleep(1000)
  for (const path of empty.filter(isEmpty)) rmSync(path)
}

const isEmpty = (path: string) => statSync(path, { throwIfNoEntry: false })?.size === 0

async function isGoneWithin(timeout: number, cluster: string, pid: number) {
  for (const until = Date.now() + timeout; isPostmasterOf(cluster, pid); await sleep(POLL_MS)) {
    if (Date.now() > until) return false
  }
  return true
}

function isAlive(pid: number) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

// Recognizes a postmaster that we started, by its command line (which a zombie has lost) and its working folder.
function worksIn(cluster: string, pid: number) {
  try {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (basename(program) !== 'postgres' || !args.includes(CLUSTER_BY_CWD)) return false
    return isSameFolder(`/proc/${pid}/cwd`, cluster) ?? statSync(`/proc/${pid}`).uid === statSync(cluster).uid
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return false
    throw error
  }
}

// Undefined if this cannot be read: containers forbid it even to root for a process of another user.
function isSameFolder(folder: string, other: string) {
  try {
    const [a, b] = [statSync(folder), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  } catch (error) {
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return undefined
    throw error
  }
}

function commandLine(pid: number) {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
