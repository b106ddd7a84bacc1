import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'

/** The data folder, or a file in it, cannot be created or written. The message says which one, and why. */
export class DataFolderError extends Error {}

/**
 * Creates the data folder, or a folder in it, readable by this user alone, and checks that it is writable. Throws
 * DataFolderError.
 */
export function openDataFolder(dataDir: string, folder = dataDir): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw dataFolderError(error, dataDir) ?? error
  }
}

/**
 * Creates missing parents too. Not by mkdir's own `recursive`, which never returns below /proc, where nothing can be
 * created.
 */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // unless another process has just created it
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Runs `work`, and throws a DataFolderError for what the system refuses in the data folder. */
export async function inDataFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw dataFolderError(error, dataDir) ?? error
  }
}

/** Describes what the system refused; null if the error is not about the data folder. */
function dataFolderError(error: unknown, dataDir: string): DataFolderError | null {
  const { code, path, dest } = error as { code?: unknown; path?: unknown; dest?: unknown }
  const file = typeof dest === 'string' ? dest : path
  if (typeof code !== 'string' || typeof file !== 'string') return null
  if (!isBelow(dataDir, file) && !isBelow(file, dataDir)) return null
  return new DataFolderError(
    `The data folder ${dataDir} cannot be used, since ${file} ${reasons[code] ?? `cannot be made or written (${code})`}; set SVC_DATA_DIR to a folder that this user can write to.`,
    { cause: error },
  )
}

const isBelow = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const notAllowed = 'may not be made or written by this user'
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'is a file where a folder belongs',
  ENOTDIR: 'is, or lies below, a file where a folder belongs',
  EISDIR: 'is a folder where a file belongs',
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk on which this user has no room left',
  ENAMETOOLONG: 'is too long a path',
  ELOOP: 'leads back to itself by links',
}
