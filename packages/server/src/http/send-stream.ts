import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Serializer } from '../call/serialize.ts'
import type { StreamItem } from '../call/stream-item.ts'
import { logFault } from './request-log.ts'

/** Sends a stream as Server-Sent Events, as fast as the client reads it: what it has not read yet is not asked for. */
export function sendStream(
  serialize: Serializer,
  items: AsyncIterable<StreamItem>,
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
  items: AsyncIterable<StreamItem>,
  request: FastifyRequest,
): AsyncGenerator<string, void, undefined> {
  try {
    yield 'retry: 1000\n\n'
    for await (const item of items) yield block(serialize, item)
  } catch (error) {
    logFault(error, request)
  }
}

/** JSON has no line breaks, so it is one line of data. Without data it is a comment, which still moves the id on. */
function block(serialize: Serializer, { position, data }: StreamItem): string {
  const id = position === null ? '' : `id: ${position}\n`
  return data ? `${id}data: ${serialize(data)}\n\n` : `: nothing new\n${id}\n`
}
