import { createHash, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'

export interface LargeFile {
  path: string
  size_bytes: number
  sha256: string
}

const mebibyte = 1024 * 1024

/** Writes a file of random bytes, which no filesystem can compress. */
export async function makeLargeFile(path: string, mib: number): Promise<LargeFile> {
  const file = await open(path, 'wx')
  const hash = createHash('sha256')
  try {
    for (let written = 0; written < mib; written++) {
      const bytes = randomBytes(mebibyte)
      hash.update(bytes)
      await file.writeFile(bytes)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { path, size_bytes: mib * mebibyte, sha256: hash.digest('hex') }
}
