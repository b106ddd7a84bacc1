import { access, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../database/faults.ts'
import { BackupError } from './backup-error.ts'

/**
 * Writes a file under a temporary name beside it, and renames it when it is complete. Throws BackupError if the file
 * exists or cannot be written. The temporary file is removed.
 */
export async function writeNewFile<T>(file: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  await requireAbsent(file)
  const unfinished = `${file}.unfinished-${process.pid}`
  try {
    const result = await write(unfinished)
    await giveName(unfinished, file)
    await syncFolder(dirname(file))
    return result
  } catch (error) {
    throw asBackupError(file, error) ?? error
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function requireAbsent(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw fileExists(file)
}

const fileExists = (file: string) => new BackupError(`${file} already exists; a backup needs a new file.`)

/** A hard link fails if the name is taken, where a rename would replace the file. File systems without links get the rename. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileExists(file)
    await requireAbsent(file)
    await rename(unfinished, file)
  }
}

// Otherwise a crash of the machine could lose the name although the content was synced.
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EACCES: 'its folder is not writable',
  EROFS: 'its folder is not writable',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
}

function asBackupError(file: string, error: unknown): BackupError | null {
  // A failed connection to the database has the same codes.
  const isOfFile = error instanceof Error && 'syscall' in error && error.syscall !== 'connect'
  const reason = isOfFile ? reasons[codeOf(error)] : undefined
  return reason === undefined
    ? null
    : new BackupError(`${file} cannot be written: ${reason}.`, { cause: error })
}
