import type { Content } from '../source/content.ts'
import { createSha256 } from './create-sha256.ts'

const step = 4 * 1024 * 1024

/** The SHA-256 of content, which is read from beginning to end in small steps. */
export async function sha256Of(content: Content, signal?: AbortSignal): Promise<string> {
  const hash = await createSha256()
  for (let at = 0; at < content.size_bytes; at += step) {
    signal?.throwIfAborted()
    const read = await content.read(at, Math.min(at + step, content.size_bytes))
    hash.update(read instanceof Blob ? new Uint8Array(await read.arrayBuffer()) : read)
  }
  return hash.hex()
}
