import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreUnavailable } from '../../src/blobs/blob-errors.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'

/** What a service asks its store. */
export type StoreCall = 'put' | 'read' | 'remove' | 'begin' | 'writePart' | 'parts' | 'seal' | 'discard'

/** A store in a folder, whose next answer waits, or which fails, as the test says. */
export interface SlowStore {
  blobs: BlobStore
  /** What `ask` is answered while `meanwhile` happens between what the store does in this call and its answer. */
  whileAsked<Answer>(
    call: StoreCall,
    ask: () => Promise<Answer>,
    meanwhile: () => Promise<unknown>,
  ): Promise<Answer>
  /** The next readings fail, as if the store could not be reached. */
  breakDown(): void
  remove(): Promise<void>
}

export async function createSlowStore(): Promise<SlowStore> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-slow-'))
  const store = createFilesystemStore(folder)
  let isBroken = false
  let held: { call: StoreCall; hold: () => Promise<unknown> } | undefined

  /** The same function, which answers once the test lets it. */
  const slow =
    <Given extends unknown[], T>(name: StoreCall, call: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      const hold = held?.call === name ? held.hold : undefined
      if (hold) held = undefined
      const answer = await call(...given)
      await hold?.()
      return answer
    }

  const { uploads } = store
  return {
    blobs: {
      ...store,
      put: slow('put', store.put),
      read: slow('read', (...asked) => {
        if (isBroken) throw new StoreUnavailable('read', 'away', null)
        return store.read(...asked)
      }),
      remove: slow('remove', store.remove),
      uploads: {
        ...uploads,
        begin: slow('begin', uploads.begin),
        writePart: slow('writePart', uploads.writePart),
        parts: slow('parts', uploads.parts),
        seal: slow('seal', uploads.seal),
        discard: slow('discard', uploads.discard),
      },
    },
    async whileAsked(call, ask, meanwhile) {
      const asked = Promise.withResolvers<void>()
      const change = Promise.withResolvers<void>()
      const hold = () => {
        asked.resolve()
        return change.promise
      }
      held = { call, hold }
      const answer = ask()
      // A call that does not ask the store would be waited for in vain.
      answer.then(
        () => asked.reject(new Error(`The store was not asked to ${call}.`)),
        (error: unknown) => asked.reject(error),
      )
      try {
        await asked.promise
        await meanwhile()
      } finally {
        held = undefined
        change.resolve()
      }
      return answer
    },
    breakDown() {
      isBroken = true
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
