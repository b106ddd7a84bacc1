import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { translateFault } from '../../call/fault-problem.ts'
import type { Serializer } from '../../call/serialize.ts'
import type { Listener, Stream, StreamItem } from '../../call/stream-item.ts'
import { asProblem } from './problem-json.ts'
import { logFault } from './request-log.ts'

/** A Buffer: if a string were written first, Node would keep the head in memory in dozens of small pieces. */
const opening = Buffer.from('retry: 1000\n\n')

/**
 * Sends a stream as Server-Sent Events, directly to the response, since buffers in between would cost memory for each
 * of thousands of streams. The response ends when the stream does, even after a problem: the client reconnects and
 * receives the problem then.
 */
export function sendStream(
  serialize: Serializer,
  stream: Stream,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply
    .code(200)
    .headers({ 'cache-control': 'private, no-store', 'x-accel-buffering': 'no' }) // otherwise proxies buffer the stream until it ends
    .type('text/event-stream; charset=utf-8')
    .hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  raw.write(opening)
  if (request.method === 'HEAD') raw.end()
  stream(listenerOf(serialize, raw))
    .catch((error: unknown) => noteEnd(translateFault(error), request))
    .finally(() => raw.end())
  return reply
}

/** The answer has begun, so only the log says with what the stream ended. */
function noteEnd(error: unknown, request: FastifyRequest): void {
  request.facts.problem_code = asProblem(error).code
  logFault(error, request)
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

/** Caches of serialized items and lists, which many streams send. */
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

/** JSON without line breaks is one line of data. An item without data is a comment that still advances the id. */
function block(serialize: Serializer, { position, data }: StreamItem): string {
  const id = position === null ? '' : `id: ${position}\n`
  return data ? `${id}data: ${serialize(data)}\n\n` : `: nothing new\n${id}\n`
}
