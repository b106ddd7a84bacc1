import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'

/** The data folder, or something that belongs into it, cannot be made or written; the message says what, and why. */
export class DataFolderError extends Error {}

/**
 * Makes the data folder, or a folder in it, for this user alone if it is not there, and sees that it can be written to.
 * Throws DataFolderError.
 */
export function openDataFolder(dataDir: string, folder = dataDir): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw dataFolderError(error, dataDir) ?? error
  }
}

/** Along with the folders above it. Node's own way never ends below /proc, where nothing can be made. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // or else another process was faster
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Runs `work`; what the system refuses it in the data folder is thrown as a DataFolderError. */
export async function inDataFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw dataFolderError(error, dataDir) ?? error
  }
}

/** Says plainly what the system refused; null where the error is not about the data folder. */
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
