import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command-error.ts'
import { reasonOf } from '../reason-of.ts'
import { profilesText, readProfiles, type Profiles } from './profile.ts'
import { withProcessLock } from './process-lock.ts'

/** The file of a person's profiles. Its methods throw CommandError. */
export interface ProfileStore {
  file: string
  /** Refuses a file that others can read, because they know its secrets then. */
  read(): Promise<Profiles>
  /** Runs `work` while no other process changes the file. `save` writes the given profiles, as they are then. */
  change<T>(work: (profiles: Profiles, save: () => Promise<void>) => Promise<T>): Promise<T>
}

// Windows has no such modes; there the folder of a person is closed to others.
const hasModes = process.platform !== 'win32'

export function openProfileStore(folder: string): ProfileStore {
  const file = join(folder, 'profiles.json')
  const read = () => readFileOf(folder, file)
  return {
    file,
    read,
    async change(work) {
      const lock = await prepare(folder)
      return withProcessLock(lock, async () => {
        const profiles = await read()
        return work(profiles, () => write(folder, file, profilesText(profiles)))
      })
    },
  }
}

async function readFileOf(folder: string, file: string): Promise<Profiles> {
  const handle = await open(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandError(`${file} cannot be read: ${reasonOf(error)}.`)
  })
  if (handle === null) return { current: null, byName: new Map() }
  try {
    await refuseOpen(folder, file, (await handle.stat()).mode)
    const profiles = readProfiles(await handle.readFile('utf8'))
    if (profiles) return profiles
  } finally {
    await handle.close()
  }
  throw new CommandError(
    `${file} is damaged, or another version of wbs wrote it. Remove it and sign in again with wbs login.`,
  )
}

async function refuseOpen(folder: string, file: string, mode: number): Promise<void> {
  if (!hasModes) return
  if ((mode & 0o077) !== 0)
    throw new CommandError(
      `Others can read or change ${file}, which has your credentials: chmod 600 '${file}', and make new credentials if somebody may have read it.`,
    )
  if (((await stat(folder)).mode & 0o022) !== 0)
    throw new CommandError(
      `Others can change the folder ${folder}, which has your credentials: chmod 700 '${folder}'.`,
    )
}

/** Makes the folder and the file of the lock, and gives the latter. */
async function prepare(folder: string): Promise<string> {
  const lock = join(folder, 'profiles.lock')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(lock, 'a', 0o600)).close()
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be used: ${reasonOf(error)}.`)
  }
  return lock
}

async function write(folder: string, file: string, text: string): Promise<void> {
  const draft = join(folder, `.profiles.${randomUUID()}`)
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw new CommandError(`${file} cannot be written: ${reasonOf(error)}.`)
  }
}
