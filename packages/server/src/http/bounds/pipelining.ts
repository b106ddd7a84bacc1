import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { createKeyedCounter } from './keyed-counter.ts'

/** So many requests of one connection are carried out at once. */
const maxConcurrent = 16

export interface PipeliningSettings {
  log: FastifyBaseLogger
  /** How many requests may wait for their turn, on all connections together; 10,000 unless given. */
  maxQueued?: number
}

interface ConnectionQueue {
  begun: number
  queue: (() => void)[]
}

/**
 * Lets requests that come over one connection without waiting for answers begin in turn. All at once they would take the
 * places of others, and be refused for want of them. What waits when its client hangs up is not carried out. A connection
 * is cut off where more wait than there is room for; who sends one request at a time never waits here.
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
      log.warn({ queued: queued.total() }, 'a connection was cut off: too many requests wait for their turn')
      socket.destroy()
    }
  })
}
