import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a message into a folder that only its owner can read, completely or not at all. Gives the file's path. */
export async function saveMail(folder: string, id: string, source: Buffer): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(/[-:]/g, '').replace('.', '-')
  const path = join(folder, `${time}-${id}.eml`)
  const draft = `${path}.${process.pid}.draft`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(source)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(folder)
  return path
}

/** Syncs the folder, so that the new name survives a crash. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
