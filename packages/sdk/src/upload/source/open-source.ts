import type { UploadSource } from '../options.ts'
import { contentOfBlob, contentOfBytes, type Content, type Stream } from './content.ts'
import { contentOfFile } from './local-file.ts'

/** Streams of unknown size are read into memory up to here. */
const longestUnknown = 8 * 1024 * 1024

/** Opens what is to be uploaded. Throws TypeError for what cannot be, and errors of the system. */
export async function openSource(source: UploadSource, size_bytes?: number): Promise<Content | Stream> {
  if (typeof source === 'string') return contentOfFile(source)
  if (source instanceof Uint8Array) return contentOfBytes(source)
  if (source instanceof Blob) return contentOfBlob(source)
  if (typeof source !== 'object' || source === null) throw notASource()
  const { chunks, close } = chunksOf(source)
  if (size_bytes === undefined) return contentOfBytes(await readShort(chunks, close))
  if (!Number.isSafeInteger(size_bytes) || size_bytes < 0)
    throw new TypeError('size_bytes must be the size of the stream in bytes.')
  return size_bytes === 0 ? contentOfBytes(new Uint8Array()) : { kind: 'stream', size_bytes, chunks, close }
}

interface Chunks {
  chunks: AsyncIterator<Uint8Array>
  close(): Promise<void>
}

/** Not every browser can iterate a ReadableStream, so it is read by its reader. */
function chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Chunks {
  if ('getReader' in source && typeof source.getReader === 'function') {
    const reader = source.getReader()
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      const { value } = await reader.read()
      return value === undefined ? { done: true, value } : { done: false, value }
    }
    return { chunks: { next }, close: () => reader.cancel().catch(() => {}) }
  }
  if (!(Symbol.asyncIterator in source)) throw notASource()
  const chunks = source[Symbol.asyncIterator]()
  // An iterator that is waiting for its next chunk would not answer to return() before that.
  return { chunks, close: async () => void chunks.return?.()?.catch(() => {}) }
}

const notASource = () =>
  new TypeError('The source must be a path, a Blob, a Uint8Array or a stream of Uint8Array.')

async function readShort(chunks: AsyncIterator<Uint8Array>, close: () => Promise<void>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let size = 0
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      read.push(next.value)
      size += next.value.length
      if (size > longestUnknown)
        throw new TypeError('A stream of more than 8 MiB can be uploaded only with size_bytes.')
    }
  } finally {
    await close()
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of read) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
