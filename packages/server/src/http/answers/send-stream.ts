import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { translateDatabaseError } from '../../call/database-problem.ts'
import type { Serializer } from '../../call/serialize.ts'
import type { Listener, Stream, StreamItem } from '../../call/stream-item.ts'
import { logFault } from './request-log.ts'

/** Bytes: written before text, the head would stay in memory in the dozens of pieces that it was made of. */
const opening = Buffer.from('retry: 1000\n\n')

/**
 * Sends a stream as Server-Sent Events, straight to the response: what a stream in between would hold and do for each of
 * thousands is not small. It ends where the stream does, also where that ends in a problem: the client comes back, and is
 * told it then.
 */
export function sendStream(
  serialize: Serializer,
  stream: Stream,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply
    .code(200)
    .headers({ 'cache-control': 'private, no-store', 'x-accel-buffering': 'no' }) // proxies would keep it until it ends
    .type('text/event-stream; charset=utf-8')
    .hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  raw.write(opening)
  if (request.method === 'HEAD') raw.end()
  stream(listenerOf(serialize, raw))
    .catch((error: unknown) => logFault(translateDatabaseError(error), request))
    .finally(() => raw.end())
  return reply
}

function listenerOf(serialize: Serializer, response: ServerResponse): Listener {
  const isOpen = () => !response.writableEnded && !response.destroyed
  return {
    send: items => isOpen() && response.write(writtenOf(serialize, items)),
    read: () =>
      new Promise(resolve => {
        if (!isOpen() || !response.writableNeedDrain) return resolve()
        const done = () => {
          response.off('drain', done).off('close', done)
          resolve()
        }
        response.on('drain', done).on('close', done)
      }),
  }
}

/** What was written of items, and of lists of them, that many streams tell. */
const blocks = new WeakMap<StreamItem, string>()
const lists = new WeakMap<readonly StreamItem[], Buffer>()

function writtenOf(serialize: Serializer, items: readonly StreamItem[]): Buffer {
  const known = lists.get(items)
  if (known !== undefined) return known
  const written = Buffer.from(items.map(item => blockOf(serialize, item)).join(''))
  lists.set(items, written)
  return written
}

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
