const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host with this name',
  ENOTDIR: 'a part of its path is not a folder',
}

/** An error of the system in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // fetch says only that it failed.
  if (error instanceof TypeError && error.cause instanceof Error) return reasonOf(error.cause)
  return systemErrors[code] ?? (error instanceof Error ? error.message : String(error))
}
