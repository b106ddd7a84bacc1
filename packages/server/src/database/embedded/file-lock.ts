import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, EmbeddedServerError } from './errors.ts'

const SQLITE_BUSY = 5
const RETRY_MS = 25
const TELL_AFTER_MS = 2000

/**
 * Runs `work` while holding an exclusive lock on the file at `path`, across processes. Waits without a timeout, until
 * the signal is aborted; calls `onWait` once if it takes long.
 *
 * Node has no file locks, but SQLite's exclusive transaction is one: the kernel releases it when the process dies, so
 * no lock is ever stale. The file stays empty.
 */
export async function withFileLock<T>(
  path: string,
  onWait: () => void,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  createPrivately(path)
  const lock = openLock(path)
  try {
    await acquire(lock, onWait, signal)
    return await work()
  } finally {
    lock.close()
  }
}

function openLock(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch (cause) {
    const message = `The lock file ${path} cannot be opened: it must be a file that this user can write to, or not be there.`
    throw new EmbeddedServerError('start_failed', message, { cause })
  }
}

async function acquire(lock: DatabaseSync, onWait: () => void, signal: AbortSignal | undefined) {
  const since = Date.now()
  for (let told = false; !tryAcquire(lock); await sleep(RETRY_MS, undefined, { signal })) {
    if (told || Date.now() - since < TELL_AFTER_MS) continue
    told = true
    onWait()
  }
}

function tryAcquire(lock: DatabaseSync) {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

function isBusy(error: unknown) {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

// Never opens an existing file: closing any descriptor of it would release this process's locks (POSIX).
function createPrivately(path: string) {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
