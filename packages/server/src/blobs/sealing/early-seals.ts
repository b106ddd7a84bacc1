import { rm } from 'node:fs/promises'
import type { StoredContent, UploadKey } from '../blob-store.ts'
import { appendThread } from './append-thread.ts'
import { fairTurns } from '../../threads/fair-turns.ts'
import type { SealedPart } from './seal-files.ts'

/** Seals uploads while their parts arrive: each part is appended as soon as all parts before it were. */
export interface EarlySeals {
  /** A part has its final name now, which no other file ever has. */
  stored(upload: UploadKey, part: SealedPart): void
  /**
   * The durable file of exactly these parts, or null if it must be made from the beginning: because it was not begun, or
   * a part was replaced, is damaged, or could not be read. Throws the reason of the signal.
   */
  finish(
    upload: UploadKey,
    parts: readonly SealedPart[],
    signal?: AbortSignal,
  ): Promise<{ content: StoredContent; into: string } | null>
  drop(upload: UploadKey): Promise<void>
  /** Gives up all that are not being finished. */
  dropAll(): Promise<void>
  close(): Promise<void>
}

interface EarlySeal extends UploadKey {
  into: string
  /** The paths of the parts that are in the file, in order. */
  appended: string[]
  waiting: Map<number, SealedPart>
  bytes: number
  /** Becomes true when the file can no longer become the content. */
  isBroken: boolean
  isFinishing: boolean
  appending: Promise<void> | null
  idle: NodeJS.Timeout | undefined
}

/** Smaller uploads are sealed in a moment when they are completed. */
const leastBytes = 16 * 1024 * 1024
/** The most uploads that are sealed early at once. Each holds an open file, and the names of its parts. */
const mostSeals = 16
/** An upload that gets no part for so long gives its place to others. */
const idleMilliseconds = 60_000

export function earlySeals(newTemporary: () => string): EarlySeals {
  const thread = appendThread()
  const turns = fairTurns(1)
  const seals = new Map<string, EarlySeal>()

  function begin({ workspace_id, upload_id }: UploadKey): EarlySeal | null {
    if (seals.size >= mostSeals) return null
    const seal: EarlySeal = {
      workspace_id,
      upload_id,
      into: newTemporary(),
      appended: [],
      waiting: new Map(),
      bytes: 0,
      isBroken: false,
      isFinishing: false,
      appending: null,
      idle: undefined,
    }
    seals.set(upload_id, seal)
    return seal
  }

  async function drop(seal: EarlySeal): Promise<void> {
    forget(seal)
    seal.isBroken = true
    await seal.appending
    const outcome = await thread.ask({ into: seal.into, drop: true })
    if ('error' in outcome) await rm(seal.into, { force: true }).catch(() => undefined)
  }

  function forget(seal: EarlySeal): void {
    clearTimeout(seal.idle)
    if (seals.get(seal.upload_id) === seal) seals.delete(seal.upload_id)
  }

  /** Appends the next part. False if that failed, after which the file is of no use. */
  async function append(seal: EarlySeal, part: SealedPart, signal?: AbortSignal): Promise<boolean> {
    const order = { into: seal.into, append: part }
    const outcome = await turns.run(seal.workspace_id, () => thread.ask(order), signal)
    seal.isBroken ||= 'error' in outcome || !outcome.done
    seal.appended.push(part.path)
    return !seal.isBroken
  }

  async function appendAll(seal: EarlySeal): Promise<void> {
    for (;;) {
      const number = seal.appended.length + 1
      const part = seal.waiting.get(number)
      if (!part || seal.isBroken || seal.isFinishing) return
      seal.waiting.delete(number)
      await append(seal, part)
    }
  }

  function appendMore(seal: EarlySeal): void {
    if (seal.appending || seal.bytes < leastBytes) return
    seal.appending = appendAll(seal).finally(() => {
      seal.appending = null
      if (seal.isBroken) void drop(seal)
      else if (!seal.isFinishing && seal.waiting.has(seal.appended.length + 1)) appendMore(seal)
    })
  }

  /** Whether the file begins with these parts. The name of a part is that of its bytes, since none is used twice. */
  const beginsWith = ({ appended, isBroken }: EarlySeal, parts: readonly SealedPart[]) =>
    !isBroken &&
    appended.length > 0 &&
    appended.length <= parts.length &&
    appended.every((path, at) => parts[at]?.path === path)

  async function appendRest(seal: EarlySeal, parts: readonly SealedPart[], signal?: AbortSignal) {
    for (const part of parts.slice(seal.appended.length)) if (!(await append(seal, part, signal))) return null
    const outcome = await thread.ask({ into: seal.into, finish: true })
    if ('error' in outcome || !outcome.content) return null
    return { content: outcome.content, into: seal.into }
  }

  return {
    stored(upload, part) {
      const seal = seals.get(upload.upload_id) ?? begin(upload)
      if (!seal) return
      clearTimeout(seal.idle)
      seal.idle = setTimeout(() => void drop(seal), idleMilliseconds).unref()
      seal.waiting.set(part.part_number, part)
      seal.bytes += part.size_bytes
      // The file already has another part in its place.
      if (part.part_number <= seal.appended.length) void drop(seal)
      else appendMore(seal)
    },
    async finish(upload, parts, signal) {
      const seal = seals.get(upload.upload_id)
      if (!seal) return null
      forget(seal)
      seal.isFinishing = true
      let finished = null
      try {
        await seal.appending
        if (beginsWith(seal, parts)) finished = await appendRest(seal, parts, signal)
        return finished
      } finally {
        if (!finished) await drop(seal)
      }
    },
    async drop({ upload_id }) {
      const seal = seals.get(upload_id)
      if (seal) await drop(seal)
    },
    async dropAll() {
      const left = [...seals.values()]
      await Promise.all(left.map(drop))
    },
    async close() {
      const left = [...seals.values()]
      for (const seal of left) forget(seal)
      await thread.end()
      for (const { into } of left) await rm(into, { force: true })
    },
  }
}
