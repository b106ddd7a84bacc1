import type { Sha256 } from '../hash/sha256.ts'
import type { Content, Stream } from '../source/content.ts'

/** A part of an upload that is to be sent. */
export interface Part {
  part_number: number
  bytes: Uint8Array | Blob
}

/** How an upload divides its content. */
export interface Division {
  size_bytes: number
  part_size_bytes: number
  part_count: number
}

/** The parts of content that are missing, each read when it is asked for. */
export async function* partsOfContent(
  content: Content,
  division: Division,
  isMissing: (part_number: number) => boolean,
): AsyncGenerator<Part, void, undefined> {
  for (let part_number = 1; part_number <= division.part_count; part_number++) {
    if (!isMissing(part_number)) continue
    const start = (part_number - 1) * division.part_size_bytes
    const end = Math.min(start + division.part_size_bytes, division.size_bytes)
    yield { part_number, bytes: await content.read(start, end) }
  }
}

/**
 * The parts of a stream that are missing. All of it is read, and hashed on the way. Throws TypeError if it does not have
 * the size that was given.
 */
export async function* partsOfStream(
  { chunks, size_bytes }: Stream,
  division: Division,
  isMissing: (part_number: number) => boolean,
  hash: Sha256,
): AsyncGenerator<Part, void, undefined> {
  let rest: Uint8Array = new Uint8Array()
  let read = 0
  const sizeOf = (part_number: number) =>
    Math.min(division.part_size_bytes, size_bytes - (part_number - 1) * division.part_size_bytes)
  for (let part_number = 1; part_number <= division.part_count; part_number++) {
    const bytes = new Uint8Array(sizeOf(part_number))
    for (let filled = 0; filled < bytes.length;) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done === true) throw wrongSize(size_bytes, `ended after ${read} bytes`)
        hash.update(next.value)
        read += next.value.length
        rest = next.value
      }
      const some = rest.subarray(0, bytes.length - filled)
      bytes.set(some, filled)
      filled += some.length
      rest = rest.subarray(some.length)
    }
    if (part_number === division.part_count) await requireEnd(rest, chunks, size_bytes)
    if (isMissing(part_number)) yield { part_number, bytes }
  }
}

/** Before the last part is sent, so that nothing too long is uploaded completely. */
async function requireEnd(
  rest: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  size_bytes: number,
): Promise<void> {
  let more = rest.length
  while (more === 0) {
    const next = await chunks.next()
    if (next.done === true) return
    more = next.value.length
  }
  throw wrongSize(size_bytes, 'has more')
}

const wrongSize = (size_bytes: number, what: string) =>
  new TypeError(`The stream was announced with ${size_bytes} bytes, and ${what}.`)
