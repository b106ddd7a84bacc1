import { rm } from 'node:fs/promises'
import type { StoredContent, UploadKey } from '../blob-store.ts'
import { appendThread } from './append-thread.ts'
import { createFairTurns } from '../../turns/fair-turns.ts'
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
  /** Gives up all that are not being finished, after which the disk no longer has them. */
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
  /** The removal of the file, once it is dropped. */
  removing: Promise<void> | null
  idle: NodeJS.Timeout | undefined
}

/** Smaller uploads are sealed in a moment when they are completed. */
const leastBytes = 16 * 1024 * 1024
/** The most uploads that are sealed early at once. Each holds an open file, and the names of its parts. */
const mostSeals = 16
/** An upload that gets no part for so long gives its place to others. */
const idleMilliseconds = 60_000

/** Takes space on the disk, or gives null. What it gives is called when the bytes are written. */
type TakeSpace = (bytes: number) => Promise<(() => void) | null>

/** What is sealed early is on the disk twice, so a part is appended only if there is space for it. */
export function earlySeals(newTemporary: () => string, takeSpace: TakeSpace): EarlySeals {
  const thread = appendThread()
  const turns = createFairTurns({ total: 1 })
  const seals = new Map<string, EarlySeal>()
  const removals = new Set<Promise<void>>()

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
      removing: null,
      idle: undefined,
    }
    seals.set(upload_id, seal)
    return seal
  }

  /** Ends when the file is removed, whoever else drops it meanwhile. */
  function drop(seal: EarlySeal): Promise<void> {
    forget(seal)
    seal.isBroken = true
    if (seal.removing) return seal.removing
    const removing = remove(seal)
    seal.removing = removing
    removals.add(removing)
    void removing.finally(() => removals.delete(removing))
    return removing
  }

  async function remove(seal: EarlySeal): Promise<void> {
    await seal.appending
    const outcome = await thread.ask({ into: seal.into, drop: true })
    if ('error' in outcome) await rm(seal.into, { force: true }).catch(() => undefined)
  }

  function forget(seal: EarlySeal): void {
    clearTimeout(seal.idle)
    if (seals.get(seal.upload_id) === seal) seals.delete(seal.upload_id)
  }

  /** Appends the next part. False if that failed or there is no space for it, after which the file is of no use. */
  async function append(seal: EarlySeal, part: SealedPart, signal?: AbortSignal): Promise<boolean> {
    const isAppended = await turns.run(seal.workspace_id, () => appendIfSpace(seal, part), signal)
    seal.isBroken ||= !isAppended
    seal.appended.push(part.path)
    return !seal.isBroken
  }

  async function appendIfSpace({ into }: EarlySeal, part: SealedPart): Promise<boolean> {
    const written = await takeSpace(part.size_bytes).catch(() => null)
    if (!written) return false
    try {
      const outcome = await thread.ask({ into, append: part })
      return !('error' in outcome) && outcome.done
    } finally {
      written()
    }
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
    signal?.throwIfAborted()
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
      for (const seal of seals.values()) void drop(seal)
      await Promise.all(removals)
    },
    async close() {
      const left = [...seals.values()]
      for (const seal of left) forget(seal)
      await thread.end()
      for (const { into } of left) await rm(into, { force: true })
    },
  }
}
