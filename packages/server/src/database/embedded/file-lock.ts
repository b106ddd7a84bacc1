import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './errors.ts'

const SQLITE_BUSY = 5
const RETRY_MS = 25
const TELL_AFTER_MS = 2000

/**
 * Runs `work` while nobody else, in this process or another, runs under the lock file at `path`; waits as
 * long as that takes and calls `onWait` once when it takes long.
 *
 * Node has no file locks of its own. SQLite's exclusive transaction is one: the kernel holds it and frees it
 * when its holder dies, so no lock is ever stale. The file stays empty.
 */
export async function underFileLock<T>(path: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  createPrivately(path)
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    await acquire(lock, onWait)
    return await work()
  } finally {
    lock.close()
  }
}

async function acquire(lock: DatabaseSync, onWait: () => void) {
  const since = Date.now()
  for (let told = false; !tryAcquire(lock); await sleep(RETRY_MS)) {
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

// Never opens an existing file: closing any descriptor of it would drop this process's locks (POSIX).
function createPrivately(path: string) {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
