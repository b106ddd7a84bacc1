import { access, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../database/faults.ts'
import { BackupError } from './backup-error.ts'

/**
 * Has a file written under another name beside it, and gives it its own once it is whole. Throws BackupError where it is
 * there already or cannot be written; what was begun is taken away.
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
    throw told(file, error) ?? error
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

const fileExists = (file: string) =>
  new BackupError(`${file} is there already; a backup goes into a new file.`)

/** A second name, since it takes no other file's place; where the file system has none, a new name. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileExists(file)
    await requireAbsent(file)
    await rename(unfinished, file)
  }
}

// Else a crash of the machine could take the name of a file whose content was kept.
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  EACCES: 'its folder may not be written to',
  EROFS: 'its folder may not be written to',
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
}

function told(file: string, error: unknown): BackupError | null {
  // A database that cannot be connected to has the same codes.
  const isOfFile = error instanceof Error && 'syscall' in error && error.syscall !== 'connect'
  const reason = isOfFile ? reasons[codeOf(error)] : undefined
  return reason === undefined
    ? null
    : new BackupError(`${file} cannot be written: ${reason}.`, { cause: error })
}
