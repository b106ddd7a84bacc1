import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Bytes } from '../../call/bytes.ts'
import { translateFault } from '../../call/fault-problem.ts'
import { Problem } from '../../call/problem.ts'
import { readRange, type ByteRange } from './byte-range.ts'
import { contentHeaders, tagOf } from './content-headers.ts'
import { holds } from './entity-tags.ts'
import { asProblem } from './problem-json.ts'
import { logFault } from './request-log.ts'

/**
 * How many idle timeouts a client may take to read what is in the buffers of the kernel. The service cannot see it read
 * them: it sees room in them only when about a third, often more than a mebibyte, has been read.
 */
const patience = 3

/**
 * Sends content, or the range of it that the request names, directly to the response: backpressure reaches the source,
 * and only what the source has read is in memory. Content is opened only if it is sent.
 */
export async function sendBytes(
  bytes: Bytes,
  request: FastifyRequest,
  reply: FastifyReply,
  idleTimeout: number,
): Promise<FastifyReply> {
  const headers = contentHeaders(bytes)
  const { 'if-none-match': known } = request.headers
  if (holds(known, tagOf(bytes)))
    return reply.code(304).headers({ etag: headers.etag, 'cache-control': headers['cache-control'] }).send()
  const range = rangeOf(bytes, request)
  const length = range ? range.end - range.start : bytes.size_bytes
  const all = {
    ...headers,
    'content-length': length,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end - 1}/${bytes.size_bytes}` }),
  }
  const source = request.method === 'HEAD' ? null : await openToSend(bytes, { range, length }, reply)
  // Not sent by the framework, which would give an answer to HEAD the length 0.
  reply
    .code(range ? 206 : 200)
    .headers(all)
    .hijack()
  request.raw.socket.setTimeout(patience * idleTimeout)
  void send(source, length, request, reply)
  return reply
}

/**
 * The source of content that will be sent now; null for content of no bytes. Throws what the store throws before its first
 * byte, such as unavailable, and what `beforeSending` throws.
 */
async function openToSend(
  bytes: Bytes,
  { range, length }: { range: ByteRange | null; length: number },
  { raw }: FastifyReply,
): Promise<Readable | null> {
  let source: Readable | null = null
  try {
    source = length === 0 ? null : await bytes.open(range)
    if (source) await begun(source, raw)
    // Nothing is sent to a client that has disconnected meanwhile.
    if (!raw.destroyed) await bytes.beforeSending?.()
    return source
  } catch (error) {
    source?.destroy()
    throw translateFault(error)
  }
}

/** Waits for the first bytes of a source, its end, or the end of the connection. Throws if the source fails before. */
function begun(source: Readable, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    source
      .once('readable', () => resolve())
      .once('error', reject)
      .once('close', () => resolve())
    response.once('close', () => resolve())
    if (response.destroyed) resolve()
  })
}

/** The range to send; null for all. A range of content that has changed since (If-Range) is of no use to the client. */
function rangeOf(bytes: Bytes, { method, headers }: FastifyRequest): ByteRange | null {
  const { 'if-range': ofTag } = headers
  if (method !== 'GET' || (ofTag !== undefined && ofTag !== tagOf(bytes))) return null
  const range = readRange(headers.range, bytes.size_bytes)
  if (range !== 'unsatisfiable') return range
  throw new Problem(
    'range_not_satisfiable',
    `The content has ${bytes.size_bytes} bytes, and none in the requested range.`,
    {},
    { 'content-range': `bytes */${bytes.size_bytes}` },
  )
}

/**
 * Sends the head and the content. If the source fails or is not as long as announced, the connection is closed before
 * the answer is complete, so that no client takes it for the whole.
 */
async function send(
  source: Readable | null,
  length: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = reply
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    if (source) await pump(source, length, raw)
    raw.end()
  } catch (error) {
    // A client that disconnects is no fault.
    if (!raw.destroyed) {
      request.facts.problem_code = asProblem(error).code
      logFault(error, request)
    }
    raw.destroy()
  }
}

/** Copies the source to the response. Destroys the source if the client disconnects, and in any case at the end. */
async function pump(source: Readable, length: number, response: ServerResponse): Promise<void> {
  let sent = 0
  const stop = () => void source.destroy()
  if (response.destroyed) stop()
  response.once('close', stop)
  for await (const chunk of source as AsyncIterable<Buffer>) {
    sent += chunk.length
    if (sent > length) throw new Error('The content is longer than announced.')
    if (!response.write(chunk)) await drained(response)
  }
  if (sent !== length) throw new Error('The content is shorter than announced.')
}

/** Resolves when the response has room again, or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    if (response.destroyed || !response.writableNeedDrain) return resolve()
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
