import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

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
export function manageConnections(server: FastifyInstance, isDraining: () => boolean): Connections {
  const connections = new Map<Duplex, Connection>()
  let closing = false
  const isEnding = () => closing || isDraining()

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
