import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreUnavailable } from '../../src/blobs/blob-errors.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'

/** A store in a folder, whose next reading waits or fails as the test says. */
export interface SlowStore {
  blobs: BlobStore
  /** What `ask` is answered while `meanwhile` happens between its reading of content and its change. */
  whileReading<Answer>(ask: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer>
  /** The next readings fail, as if the store could not be reached. */
  breakDown(): void
  remove(): Promise<void>
}

export async function createSlowStore(): Promise<SlowStore> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-slow-'))
  const store = createFilesystemStore(folder)
  const atOnce = async () => undefined
  let beforeReading: () => Promise<void> = atOnce
  return {
    blobs: {
      ...store,
      async read(...asked) {
        await beforeReading()
        return store.read(...asked)
      },
    },
    async whileReading(ask, meanwhile) {
      const reading = Promise.withResolvers<void>()
      const change = Promise.withResolvers<void>()
      beforeReading = () => {
        reading.resolve()
        return change.promise
      }
      const answer = ask()
      answer.catch(() => undefined)
      await reading.promise
      beforeReading = atOnce
      await meanwhile()
      change.resolve()
      return answer
    },
    breakDown() {
      beforeReading = () => Promise.reject(new StoreUnavailable('read', 'away', null))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
