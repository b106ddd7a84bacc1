import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Serializer } from '../call/serialize.ts'
import type { StreamItem, StreamItems } from '../call/stream-item.ts'
import { logFault } from './request-log.ts'

/** Sends a stream as Server-Sent Events, as fast as the client reads it: what it has not read yet is not asked for. */
export function sendStream(
  serialize: Serializer,
  items: StreamItems,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const blocks = Readable.from(wireForm(serialize, items, request), {
    objectMode: false,
    highWaterMark: 16 * 1024,
  })
  return reply
    .code(200)
    .headers({ 'cache-control': 'private, no-store', 'x-accel-buffering': 'no' }) // proxies would keep it until it ends
    .type('text/event-stream; charset=utf-8')
    .send(blocks)
}

/** Ends where the items do, also where they end in a problem: the client comes back, and is told it then. */
async function* wireForm(
  serialize: Serializer,
  items: StreamItems,
  request: FastifyRequest,
): AsyncGenerator<string, void, undefined> {
  try {
    yield 'retry: 1000\n\n'
    for await (const some of items) yield some.map(item => blockOf(serialize, item)).join('')
  } catch (error) {
    logFault(error, request)
  }
}

/** What was written of items that many streams tell. */
const blocks = new WeakMap<StreamItem, string>()

function blockOf(serialize: Serializer, item: StreamItem): string {
  const known = blocks.get(item)
  if (known !== undefined) return known
  const written = block(serialize, item)
  blocks.set(item, written)
  return written
}

/** JSON has no line breaks, so it is one line of data. Without data it is a comment, which still moves the id on. */
function block(serialize: Serializer, { position, data }: StreamItem): string {
  const id = position === null ? '' : `id: ${position}\n`
  return data ? `${id}data: ${serialize(data)}\n\n` : `: nothing new\n${id}\n`
}
