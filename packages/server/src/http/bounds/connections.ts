import type { FastifyInstance, FastifyBaseLogger, FastifyRequest, FastifyReply } from 'fastify'
import type { ServerResponse, IncomingMessage } from 'node:http'
import { unavailable } from '../../call/problem.ts'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { createKeyedCounter } from './keyed-counter.ts'
import type { LoggedAddresses } from '../../telemetry/log-settings.ts'
import { loggedAddress } from '../answers/logged-address.ts'
import type { ConnectionSettings } from './connection-bounds.ts'
import type { WaitWithoutSlot } from '../../call/waiting/wait-without-slot.ts'

declare module 'fastify' {
  interface FastifyRequest {
    lifetime: RequestLifetime
  }
}

/** The lifetime of a request. It ends when the answer has been sent or the client has disconnected. */
export interface RequestLifetime {
  /** Calls `release` when the lifetime ends, or at once if it has. Whatever a request takes is given back here. */
  onEnd(release: () => void): void
  /** A signal that is aborted when the lifetime ends, with what is then left to say. */
  signal(): AbortSignal
}

/**
 * Tracks the lifetime of each request from its first moment: a listener that is added later may miss the event. This
 * must be the first hook of the server.
 */
export function trackRequestLifetimes(server: FastifyInstance): void {
  server.decorateRequest('lifetime')
  server.addHook('onRequest', (request, reply, done) => {
    request.lifetime = lifetimeOf(reply.raw)
    done()
  })
}

function lifetimeOf(response: ServerResponse): RequestLifetime {
  const releases: (() => void)[] = []
  let ended = response.destroyed
  response.once('close', () => {
    ended = true
    for (const release of releases.splice(0)) release()
  })
  function onEnd(release: () => void): void {
    if (ended) release()
    else releases.push(release)
  }
  return {
    onEnd,
    signal() {
      const end = new AbortController()
      onEnd(() => end.abort(unavailable('You disconnected before the change began. Nothing was changed.')))
      return end.signal
    },
  }
}

/** A connection is closed after so many requests, so that clients spread over nodes that were added later. */
const requestsPerConnection = 1_000
/** How long requests may take to arrive when the service stops, in milliseconds. */
const arrivalTimeoutMilliseconds = 10_000

interface Connection {
  /** The requests with their numbers on this connection, from 1. */
  unanswered: Map<IncomingMessage, number>
  requests: number
  /** The number of the request whose answer closes the connection. Later requests are not carried out. */
  last: number
  /** Close the connection once all its requests are answered. */
  ending: boolean
}

/** The open connections of a server. */
export interface Connections {
  /**
   * Closes a connection after the answers to the requests that arrived in full. Returns false if there are none, so
   * that it can be closed at once.
   */
  endAfterAnswers(socket: Duplex): boolean
}

/**
 * Decides when connections close. While the node drains, each does after its next answer, so that clients go to another
 * node. When the service stops, idle connections close at once, others after their answers, and those whose request has not
 * arrived after a timeout. Node itself would wait for ever for a client that connects and sends nothing, and
 * would answer pipelined requests after the last one with an empty 503. Requests may be pipelined, so the answer that
 * closes the connection is that of the last request, not the next one.
 */
export function manageConnections(server: FastifyInstance, draining: AbortSignal | undefined): Connections {
  const connections = new Map<Duplex, Connection>()
  let closing = false
  const isEnding = () => closing || draining?.aborted === true

  server.server.on('connection', (socket: Duplex) => {
    connections.set(socket, {
      unanswered: new Map(),
      requests: 0,
      last: requestsPerConnection,
      ending: false,
    })
    socket.once('close', () => connections.delete(socket))
  })
  // Runs before the framework's own listener, which starts to handle the request.
  server.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    const number = ++connection.requests
    connection.unanswered.set(request, number)
    if (isEnding()) connection.last = Math.min(connection.last, number)
    if (number === connection.last) response.setHeader('connection', 'close')
    response.once('close', () => {
      connection.unanswered.delete(request)
      if ((isEnding() || connection.ending) && connection.unanswered.size === 0) socket.destroySoon()
    })
  })
  server.addHook('onRequest', (request, reply, done) => {
    const connection = connections.get(request.raw.socket)
    if (connection && numberOf(connection, request.raw) > connection.last) {
      // The connection closes before this request could be answered, so it is not carried out. The rest stays unread;
      // Node would go on reading once it has handled this request.
      reply.hijack()
      setImmediate(() => request.raw.socket.pause())
    } else done()
  })
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const connection = connections.get(raw.socket)
    if (isEnding() && connection && endsWith(connection, numberOf(connection, raw)))
      reply.header('connection', 'close')
    done()
  })
  server.addHook('preClose', async () => {
    closing = true
    for (const [socket, { unanswered }] of connections) if (unanswered.size === 0) socket.destroy()
    setTimeout(() => {
      for (const [socket, { unanswered }] of connections)
        if (unanswered.keys().every(request => !request.complete)) socket.destroy()
    }, arrivalTimeoutMilliseconds).unref()
  })

  return {
    endAfterAnswers(socket) {
      const connection = connections.get(socket)
      if (!connection || ![...connection.unanswered.keys()].some(request => request.complete)) return false
      connection.ending = true
      return true
    },
  }
}

/** Whether this is the last request of the connection so far; if so, no later one is accepted. */
function endsWith(connection: Connection, number: number): boolean {
  if (number < Math.min(connection.requests, connection.last)) return false
  connection.last = number
  return true
}

const numberOf = ({ unanswered }: Connection, request: IncomingMessage): number =>
  unanswered.get(request) ?? 0

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

/**
 * Says once, in the log, what to set where X-Forwarded-For comes from an address that is not a proxy's. Behind a proxy that is
 * not named, all clients share the limits of its address.
 */
export function noteUnnamedProxy(
  server: FastifyInstance,
  {
    log,
    isProxy = () => false,
    loggedAddresses = 'off',
  }: Pick<ConnectionSettings, 'log' | 'isProxy'> & { loggedAddresses?: LoggedAddresses },
): void {
  let isNoted = false
  server.addHook('onRequest', ({ headers, socket: { remoteAddress = '' } }, _reply, done) => {
    if (!isNoted && headers['x-forwarded-for'] !== undefined && !isProxy(remoteAddress)) {
      isNoted = true
      log.warn(
        { setting: 'SVC_TRUSTED_PROXIES', address: loggedAddress(loggedAddresses, remoteAddress) },
        'a request has X-Forwarded-For, which is ignored, because SVC_TRUSTED_PROXIES does not name the address that it comes from; if that is your proxy, name it there, or all its clients share the limits of its address',
      )
    }
    done()
  })
}

/** In milliseconds; a little longer than any operation lets a caller wait. */
const longestWait = 31_000

/** Extends the idle timeout of a connection for an answer that may take long. Node resets it for the next request. */
export const extendIdleTimeout = ({ raw }: FastifyReply, idleTimeout: number): void =>
  void raw.socket?.setTimeout(idleTimeout + longestWait)

/**
 * The same wait, during which the connection has no idle timeout: that is for clients that do not read, and here the client waits
 * for the service.
 */
export const withoutIdleTimeout =
  (wait: WaitWithoutSlot, { raw }: FastifyReply, idleTimeout: number): WaitWithoutSlot =>
  work =>
    wait(async () => {
      raw.socket?.setTimeout(0)
      try {
        return await work()
      } finally {
        raw.socket?.setTimeout(idleTimeout)
      }
    })
