import type { Readable } from 'node:stream'

/** What one reading of a content tells, without knowing its type. */
export interface Survey {
  /** Its first bytes, or all of it if it is no longer. */
  head: Buffer
  /** Whether all of it is UTF-8 without NUL. */
  is_utf8: boolean
}

/** Reads content to its end, or until it cannot be text and its first `headBytes` bytes are known. */
export async function survey(content: Readable, headBytes: number): Promise<Survey> {
  const head: Buffer[] = []
  let missing = headBytes
  let isUtf8 = true
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (missing > 0) head.push(chunk.subarray(0, missing))
    missing -= chunk.length
    isUtf8 &&= !chunk.includes(0) && canDecode(decoder, chunk)
    if (!isUtf8 && missing <= 0) break
  }
  return { head: Buffer.concat(head), is_utf8: isUtf8 && canDecode(decoder) }
}

/** Without a chunk: whether the content may end here. */
function canDecode(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}
