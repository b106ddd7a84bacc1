import { randomUUID } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from './command-error.ts'
import { reasonOf } from './reason-of.ts'

/** Where an export or a download goes. Exactly one of `commit` and `discard` ends it. */
export interface Output {
  write(content: string | Uint8Array): Promise<void>
  commit(): Promise<void>
  discard(): Promise<void>
}

/** Standard output, or a file that exists only when it is complete. Throws CommandError. */
export const openOutput = (file: string | undefined, force: boolean): Promise<Output> =>
  file === undefined || file === '-' ? standardOutput() : newFile(file, force)

async function standardOutput(): Promise<Output> {
  process.stdout.on('error', () => undefined) // each write reports its own
  return {
    write: content =>
      new Promise((resolve, reject) => {
        process.stdout.write(content, error => {
          if (error) reject(new CommandError(`Standard output cannot be written: ${reasonOf(error)}.`))
          else resolve()
        })
      }),
    commit: async () => undefined,
    discard: async () => undefined,
  }
}

/** Only its owner may read the file, because what a Workspace has is private. */
async function newFile(path: string, force: boolean): Promise<Output> {
  await requireFree(path, force)
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}`)
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => cannotWrite(path, error))
  return {
    write: content => handle.appendFile(content).catch((error: unknown) => cannotWrite(path, error)),
    async commit() {
      await handle.sync()
      await handle.close()
      try {
        if (!force) await refuseToReplace(draft, path)
        else await rename(draft, path)
      } catch (error) {
        cannotWrite(path, error)
      } finally {
        await rm(draft, { force: true })
      }
    },
    async discard() {
      await handle.close()
      await rm(draft, { force: true })
    },
  }
}

async function requireFree(path: string, force: boolean): Promise<void> {
  const found = await stat(path).catch(() => undefined) // it does not exist yet
  if (found && !found.isFile()) throw new CommandError(`${path} exists and is not a file.`)
  if (found && !force) throw exists(path)
}

/** Unlike rename, link fails if the file has been created meanwhile. Not all file systems have links. */
async function refuseToReplace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(path)
    await requireFree(path, false)
    await rename(draft, path)
  }
}

const exists = (path: string) => new CommandError(`${path} exists. --force replaces it.`)

function cannotWrite(path: string, error: unknown): never {
  if (error instanceof CommandError) throw error
  throw new CommandError(`${path} cannot be written: ${reasonOf(error)}.`)
}
