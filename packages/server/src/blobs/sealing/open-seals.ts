import { createHash, type Hash } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, openSync, utimesSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { StoredContent } from '../blob-store.ts'
import { openPart, readPart, type SealedPart } from './seal-files.ts'

/** Files that grow part by part, with the SHA-256 of what they have so far. */
export interface OpenSeals {
  /** Appends a part to the file, which the first part creates. False if the part is absent or damaged. */
  append(into: string, part: SealedPart): boolean
  /** Makes the file durable and closes it. */
  finish(into: string): Promise<StoredContent>
  /** Closes and removes the file. Succeeds if there is none. */
  drop(into: string): Promise<void>
}

interface OpenSeal {
  file: number
  sha256: Hash
  size_bytes: number
  /** How many bytes were appended since the last flush began. */
  unflushed: number
  flushing: Promise<void> | null
}

/** Written to the disk while more parts arrive, so that little is left when the upload is completed. */
const flushBytes = 32 * 1024 * 1024

export function openSeals(): OpenSeals {
  const opened = new Map<string, OpenSeal>()

  function open(into: string): OpenSeal {
    const seal = opened.get(into) ?? {
      file: openSync(into, 'wx', 0o600),
      sha256: createHash('sha256'),
      size_bytes: 0,
      unflushed: 0,
      flushing: null,
    }
    opened.set(into, seal)
    return seal
  }

  return {
    append(into, part) {
      const source = openPart(part.path)
      if (source === null) return false
      try {
        const seal = open(into)
        if (!readPart(source, part, seal.file, seal.sha256)) return false
        seal.size_bytes += part.size_bytes
        seal.unflushed += part.size_bytes
        if (seal.unflushed >= flushBytes) flush(seal)
        return true
      } finally {
        closeSync(source)
      }
    },
    async finish(into) {
      const seal = opened.get(into)
      if (!seal) throw new Error('There is no such file.')
      await seal.flushing
      fdatasyncSync(seal.file)
      opened.delete(into)
      closeSync(seal.file)
      const now = new Date()
      utimesSync(into, now, now)
      return { sha256: seal.sha256.digest('hex'), size_bytes: seal.size_bytes }
    },
    async drop(into) {
      const seal = opened.get(into)
      opened.delete(into)
      if (!seal) return
      await seal.flushing?.catch(() => undefined)
      closeSync(seal.file)
      await rm(into, { force: true })
    },
  }
}

/** One flush at a time. One that failed remains, so that `finish` throws its error: the disk reports a fault only once. */
function flush(seal: OpenSeal): void {
  if (seal.flushing) return
  seal.unflushed = 0
  seal.flushing = new Promise((resolve, reject) => {
    fdatasync(seal.file, error => (error ? reject(error) : resolve()))
  })
  seal.flushing.then(
    () => (seal.flushing = null),
    () => undefined,
  )
}
