import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command-error.ts'

const patience = 60_000
const pause = 25

/**
 * Runs `work` while no other process runs work with the same lock file, which must exist. The system releases the lock
 * if the process ends. Throws CommandError if it is not free within a minute.
 */
export async function withProcessLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  // Node has no file locks of its own; those of SQLite work on every system, and end with their process.
  const { DatabaseSync } = await import('node:sqlite')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    for (let waited = 0; !isTaken(lock); waited += pause) {
      if (waited >= patience)
        throw new CommandError(`Another command has used ${file} for a minute. End it, and try again.`)
      await sleep(pause)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: { exec(sql: string): void }): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false
    throw error
  }
}

const sqliteBusy = 5
