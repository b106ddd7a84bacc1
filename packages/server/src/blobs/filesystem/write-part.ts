import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { PartSizeMismatch } from '../blob-errors.ts'
import type { DeclaredPart } from '../blob-store.ts'
import type { NamedPart } from './part-name.ts'

/** Chunks of a request are small. They are collected up to this size before they are written. */
const writeBytes = 512 * 1024

/** Writes the body of a part to a new file. Throws PartSizeMismatch as soon as there are too many bytes. */
export async function writePartFile(
  path: string,
  part: DeclaredPart,
  body: AsyncIterable<Uint8Array>,
): Promise<NamedPart> {
  const file = await open(path, 'wx', 0o600)
  try {
    const written = { size_bytes: 0, crc32: 0 }
    for await (const chunks of batches(body)) {
      for (const chunk of chunks) {
        written.size_bytes += chunk.byteLength
        written.crc32 = crc32(chunk, written.crc32)
      }
      if (written.size_bytes > part.size_bytes) break
      await writeAll(file, chunks)
    }
    if (written.size_bytes !== part.size_bytes) throw new PartSizeMismatch(part.part_number, part.size_bytes)
    return { part_number: part.part_number, ...written }
  } finally {
    await file.close()
  }
}

async function* batches(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size < writeBytes) continue
    yield chunks
    chunks = []
    size = 0
  }
  if (chunks.length > 0) yield chunks
}

/** A write may be partial; what was left out is written one chunk at a time, by a function that loops. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev([...chunks])
  let skipped = bytesWritten
  for (const chunk of chunks) {
    const rest = chunk.subarray(Math.min(skipped, chunk.byteLength))
    skipped -= chunk.byteLength - rest.byteLength
    if (rest.byteLength > 0) await file.writeFile(rest)
  }
}
