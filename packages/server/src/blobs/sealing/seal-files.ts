import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  fdatasyncSync,
  linkSync,
  openSync,
  readSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import type { StoredContent } from '../blob-store.ts'

/** A part as it must be: its file, and the size and checksum of what was received. */
export interface SealedPart {
  part_number: number
  path: string
  size_bytes: number
  crc32: number
}

/** The parts of an upload, in order, and the new file that they become. */
export interface SealOrder {
  parts: readonly SealedPart[]
  into: string
}

export type SealOutcome = { content: StoredContent } | { damaged: readonly number[] }

const buffer = Buffer.allocUnsafe(1024 * 1024)

/**
 * Makes one durable file of parts, and computes the SHA-256 of the bytes in it. It blocks its thread; `check` is called
 * for every piece, and may throw. If parts are damaged, all of them are found, and the file is incomplete.
 */
export function sealFiles({ parts, into }: SealOrder, check: () => void): SealOutcome {
  const [only, ...others] = parts
  const damaged: number[] = []
  const sha256 = createHash('sha256')
  let size_bytes = 0
  if (only && others.length === 0 && !linkOrCopy(only.path, into)) return { damaged: [only.part_number] }
  const target = openSync(into, only && others.length === 0 ? 'r+' : 'wx', 0o600)
  try {
    for (const part of parts) {
      const source = others.length === 0 ? target : openPart(part.path)
      const sink = source === target ? null : target
      const whole = source !== null && readPart(source, part, sink, sha256, check)
      if (source !== null && source !== target) closeSync(source)
      if (!whole) damaged.push(part.part_number)
      size_bytes += part.size_bytes
    }
    if (damaged.length > 0) return { damaged }
    fdatasyncSync(target)
  } finally {
    closeSync(target)
  }
  const now = new Date()
  utimesSync(into, now, now)
  return { content: { sha256: sha256.digest('hex'), size_bytes } }
}

/**
 * The file of a part is never written again, so a second name for it is as good as a copy. False if the part was replaced
 * or removed meanwhile.
 */
function linkOrCopy(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
  }
  // Not every filesystem has hard links.
  copyFileSync(from, to)
  return true
}

/** Null if the part was replaced or removed meanwhile. */
export function openPart(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

const isAbsent = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

/** Whether the part has the size and the checksum of what was received. */
export function readPart(
  source: number,
  part: SealedPart,
  sink: number | null,
  sha256: Hash,
  check: () => void = () => undefined,
): boolean {
  let size = 0
  let sum = 0
  for (;;) {
    check()
    const read = readSync(source, buffer, 0, buffer.length, size)
    if (read === 0) return size === part.size_bytes && sum === part.crc32
    const bytes = buffer.subarray(0, read)
    size += read
    sum = crc32(bytes, sum)
    sha256.update(bytes)
    if (sink !== null) writeAll(sink, bytes)
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.byteLength;) written += writeSync(file, bytes, written)
}
