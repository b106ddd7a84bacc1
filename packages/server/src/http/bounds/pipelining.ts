import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { createKeyedCounter } from './keyed-counter.ts'

/** How many requests of one connection are carried out at once. */
const maxConcurrent = 16

export interface PipeliningSettings {
  log: FastifyBaseLogger
  /** How many requests may wait for their turn, on all connections together. Default: 10,000. */
  maxQueued?: number
}

interface ConnectionQueue {
  begun: number
  queue: (() => void)[]
}

/**
 * Queues pipelined requests per connection. Without a queue, one client could take the slots of others and be refused
 * for want of slots. A queued request is dropped when its client disconnects. If too many are queued, the connection is
 * closed; a client that sends one request at a time never waits here.
 */
export function queuePipelinedRequests(
  server: FastifyInstance,
  { log, maxQueued = 10_000 }: PipeliningSettings,
): void {
  const turnsOf = new WeakMap<Socket, ConnectionQueue>()
  const queued = createKeyedCounter()

  function begin(
    { lifetime, raw: { socket } }: FastifyRequest,
    turns: ConnectionQueue,
    done: () => void,
  ): void {
    turns.begun++
    lifetime.onEnd(() => {
      turns.begun--
      if (!socket.destroyed) turns.queue.shift()?.()
    })
    done()
  }

  server.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw
    const turns = turnsOf.get(socket) ?? { begun: 0, queue: [] }
    turnsOf.set(socket, turns)
    if (turns.begun < maxConcurrent) begin(request, turns, done)
    else if (queued.total() < maxQueued) {
      const leave = queued.add('')
      request.lifetime.onEnd(leave)
      turns.queue.push(() => {
        leave()
        begin(request, turns, done)
      })
    } else {
      log.warn({ queued: queued.total() }, 'a connection was closed: too many pipelined requests are queued')
      socket.destroy()
    }
  })
}
