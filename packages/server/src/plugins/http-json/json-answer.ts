import type { IncomingMessage } from 'node:http'
import type { AppConnection } from './connect.ts'

/** How many bytes of an answer are read. */
const mostBytes = 64 * 1024

const mostDepth = 32

/** Whether an answer says that it is JSON, in UTF-8, and not compressed. */
export function saysJson({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charsets = parameters
    .map(parameter => parameter.trim())
    .filter(parameter => parameter.startsWith('charset='))
  return (
    encoding === 'identity' &&
    /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/.test(type.trim()) &&
    charsets.every(charset => /^charset="?(?:utf-8|us-ascii)"?$/.test(charset))
  )
}

/**
 * Reads the body of an answer. Undefined if it has too many bytes: then it is not read to its end. Throws if it is cut off, or
 * may be, and if the time is over.
 */
export async function readBody(
  answer: IncomingMessage,
  { saidEnd }: Pick<AppConnection, 'saidEnd'>,
  over: AbortSignal,
): Promise<Buffer | undefined> {
  if (Number(answer.headers['content-length'] ?? 0) > mostBytes) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  // Node takes a body that ends with the connection for complete, even if the connection was destroyed because of the time.
  over.throwIfAborted()
  if (!answer.complete || !(hasOwnEnd(answer) || saidEnd())) throw new Error('The answer was cut off.')
  return Buffer.concat(chunks)
}

/** Whether the end of a body follows from the message itself, and not from that of the connection (RFC 9112, 6.3). */
function hasOwnEnd({ statusCode, headers }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding']
  if (codings !== undefined) return /(?:^|,)\s*chunked\s*$/i.test(codings)
  return statusCode === 204 || headers['content-length'] !== undefined
}

/** Parses JSON in UTF-8, without a byte order mark, at most 32 deep and with numbers that JSON can repeat. */
export function parseJson(bytes: Buffer): { value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (isTooDeep(text)) return undefined
    return { value: JSON.parse(text, requireFinite) as unknown }
  } catch {
    return undefined
  }
}

/** Throws for a number such as 1e999, which would become null. */
function requireFinite(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('The number is too large.')
  return value
}

/** Whether arrays and objects are nested too deep. It looks before the parser does, whose recursion has a limit of its own. */
function isTooDeep(text: string): boolean {
  let [depth, isInText] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInText) {
      if (character === '\\') at++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '[' || character === '{') {
      depth++
      if (depth > mostDepth) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}
