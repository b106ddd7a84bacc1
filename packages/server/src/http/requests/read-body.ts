import type { FastifyInstance, FastifyRequest } from 'fastify'
import { principalOf } from '../../call/authority/caller.ts'
import { addressKey } from '../../limits/address.ts'
import { uncountedBytes, type Bodies, type BodySender, type BufferedBody } from '../bounds/bodies.ts'
import { truncatedBody, payloadTooLarge } from '../answers/problem-json.ts'
import type { Release } from '../bounds/keyed-counter.ts'
import { inexactNumber, inexactNumbers, isExact } from '@wbs/contract/json/exact-numbers'
import { invalid } from '../../call/problem.ts'

const usualLimit = 2 * 1024 * 1024

/** Passes bodies on as streams, so that the service refuses them in its own words and not the framework's. */
export function takeJsonBodies(server: FastifyInstance, bodies: Bodies): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', (request: FastifyRequest) => readBody(request, bodies))
}

/**
 * Reads the body of a request whose sender is known, within the limits of its operation and of `Bodies`. Throws payload_too_large, what
 * `Bodies` throws, and validation_error if the client disconnects. The rest of a refused body is not waited for; it is
 * discarded as it arrives.
 */
async function readBody(request: FastifyRequest, bodies: Bodies): Promise<Buffer> {
  const { bodyLimit = usualLimit } = request.routeOptions.config as { bodyLimit?: number }
  const announced = Number(request.headers['content-length'])
  if (announced > bodyLimit) throw payloadTooLarge()
  const body = collect()
  let length = 0
  let counted: BufferedBody | undefined
  const take = (chunk: Buffer) => {
    length += chunk.length
    if (length > bodyLimit) throw payloadTooLarge()
    if (length > uncountedBytes) (counted ??= countedBody(request, bodies)).grow(length)
    body.add(chunk)
  }
  try {
    await arrival(request, take, () => bodies.begin(senderOf(request)))
  } catch (error) {
    counted?.release()
    throw error
  }
  if (!Number.isNaN(announced) && announced !== length) throw truncatedBody()
  return body.whole()
}

function countedBody(request: FastifyRequest, bodies: Bodies): BufferedBody {
  const counted = bodies.buffer(senderOf(request))
  request.lifetime.onEnd(counted.release)
  return counted
}

const senderOf = ({ ip, caller }: FastifyRequest): BodySender => ({
  address: addressKey(ip),
  principal: caller && principalOf(caller),
})

/**
 * Reads a body chunk by chunk. Most bodies arrive with their headers and are complete in this turn of the event loop;
 * `begin` is called for the others, and its result when the body has ended.
 */
async function arrival(
  { raw, lifetime }: FastifyRequest,
  take: (chunk: Buffer) => void,
  begin: () => Release,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const orRefuse = <T>(work: (what: T) => void) => {
    return (what: T) => {
      try {
        work(what)
      } catch (error) {
        reject(error)
      }
    }
  }
  let end: Release | undefined
  const late = setImmediate(orRefuse(() => void (end = begin())))
  const onData = orRefuse(take)
  const onEnd = () => resolve()
  let over = false
  const onGone = () => {
    if (!over) reject(truncatedBody())
  }
  raw.on('data', onData).on('end', onEnd).on('error', onGone)
  lifetime.onEnd(onGone)
  try {
    await promise
  } finally {
    over = true
    clearImmediate(late)
    end?.()
    raw.off('data', onData).off('end', onEnd).off('error', onGone)
  }
}

/** Collects bytes in one growing buffer, so that a body of many small chunks takes at most twice its size in memory. */
function collect() {
  let buffer: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    add(chunk: Buffer) {
      const longer = length + chunk.length
      if (length === 0) buffer = chunk
      else {
        if (longer > buffer.length) buffer = copied(buffer, Math.max(longer, 2 * buffer.length))
        chunk.copy(buffer, length)
      }
      length = longer
    },
    whole: () => buffer.subarray(0, length),
  }
}

function copied(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  buffer.copy(larger)
  return larger
}

const maxDepth = 32
/** Objects with many keys and lists with many values cost far more to process than to send. */
const maxKeys = 4_000
const maxValues = 100_000
/** Limits the size of the answer; more errors than this help nobody. */
const mostErrors = 20

/**
 * Parses a JSON body; a byte order mark is ignored. Throws validation_error, with the reason, for bytes that are not
 * UTF-8 or not JSON, nesting deeper than 32, too many values, a duplicate key in an object (parsers disagree on which
 * one counts), the key __proto__, and numbers that a double would change.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0)
    throw invalid([{ in: 'body', pointer: '', code: 'required', detail: 'A JSON body is required.' }])
  const text = decodeUtf8(bytes)
  const { isExactThroughout } = scan(text)
  const value = parse(text)
  if (isExactThroughout) return value
  throw invalid(
    inexactNumbers(text, mostErrors).map(pointer => ({
      in: 'body',
      pointer,
      code: 'out_of_range',
      detail: inexactNumber,
    })),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('The body is not valid JSON.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refused('The body is not valid UTF-8.')
  }
}

/**
 * Scans the text once, without recursion, before the parser runs. It only looks at brackets, strings and numbers; the
 * parser checks the grammar. Tells whether a double can hold each number.
 */
function scan(text: string): { isExactThroughout: boolean } {
  const keysOfOpen: (Set<string> | null)[] = []
  let commas = 0
  let isExactThroughout = true
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') {
      const end = endOfString(text, at)
      const keys = keysOfOpen.at(-1)
      if (keys && followedByColon(text, end)) noteKey(keys, text.slice(at, end + 1))
      at = end
    } else if (char === '{' || char === '[') {
      if (keysOfOpen.length === maxDepth) throw refused(`The body is nested deeper than ${maxDepth} levels.`)
      keysOfOpen.push(char === '{' ? new Set() : null)
    } else if (char === '}' || char === ']') keysOfOpen.pop()
    else if (char === ',' && ++commas === maxValues)
      throw refused(`The body has more than ${maxValues} values.`)
    else if (char === '-' || (char >= '0' && char <= '9')) {
      numberForm.lastIndex = at
      numberForm.test(text)
      const end = numberForm.lastIndex
      isExactThroughout &&= isSurelyExact(text, at, end) || isExact(text.slice(at, end))
      at = end - 1
    }
  }
  return { isExactThroughout }
}

/** What the text of a number consists of. Whether it is one is checked by the parser. */
const numberForm = /[-\d][\d.eE+-]*/y

/** Most numbers are short, and need no comparison: a double keeps 15 digits, unless it is very large or close to zero. */
const isSurelyExact = (text: string, start: number, end: number) =>
  end - start <= 15 && !/[eE][+-]?\d{3}/.test(text.slice(start, end))

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  throw refused('The body is not valid JSON.')
}

function followedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}

function noteKey(keys: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1)
  if (key === '__proto__') throw refused('The body has a key that is not allowed.')
  if (keys.has(key)) throw refused('An object of the body has the same key twice.')
  if (keys.size === maxKeys) throw refused(`An object of the body has more than ${maxKeys} keys.`)
  keys.add(key)
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw refused('The body is not valid JSON.')
  }
}

const refused = (detail: string) => invalid([{ in: 'body', pointer: '', code: 'format', detail }])
