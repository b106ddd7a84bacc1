import { StoreUnavailable } from '../blob-errors.ts'

const meanings: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'the service has no permission to write there',
  EPERM: 'the service has no permission to write there',
  EROFS: 'the filesystem is mounted read-only',
  EIO: 'the disk reports an error',
  EMFILE: 'the service has too many open files',
  ENFILE: 'the machine has too many open files',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'it was removed while the service runs',
  ESTALE: 'the network filesystem was lost',
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** Turns a fault of the disk into StoreUnavailable, and leaves other errors as they are. */
export function diskFault(error: unknown, root: string): unknown {
  const code = codeOf(error)
  const meaning = code === undefined ? undefined : meanings[code]
  if (code === undefined || meaning === undefined) return error
  return new StoreUnavailable(
    code,
    `The folder ${root} cannot be used for content: ${meaning} (${code}).`,
    error,
  )
}

/** Runs work on the disk, and throws its faults as StoreUnavailable. */
export async function onDisk<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw diskFault(error, root)
  }
}
