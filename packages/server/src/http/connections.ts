import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A connection is closed after so many requests, so that clients spread over nodes that were added since they came. */
const requestsPerConnection = 1_000
/** How long requests that are under way when the service stops may take to end, in milliseconds. */
const closeTimeoutMilliseconds = 10_000

interface Connection {
  /** Each with its number on this connection, from 1. */
  unanswered: Map<IncomingMessage, number>
  requests: number
  /** The number of the request whose answer closes the connection: what comes after it is not carried out. */
  last: number
  /** It is closed once nothing is unanswered. */
  ending: boolean
}

/** What is known of the connections of a server. */
export interface Connections {
  /**
   * Closes a connection after the answers to what came over it in full; false if there is nothing of the kind, and it
   * can be closed at once.
   */
  endAfterAnswers(socket: Duplex): boolean
}

/**
 * Says when connections end. When the service stops: those without a request at once, the others after their answers, all
 * of them when patience is over. Node alone would wait for ever for a client that connects and says nothing; and it
 * would answer what comes after the last request of a connection with an empty 503. Requests may come many at once, before
 * the first is answered: the answer that closes the connection is that of the last one, not the next.
 */
export function manageConnections(server: FastifyInstance): Connections {
  const connections = new Map<Duplex, Connection>()
  let closing = false

  server.server.on('connection', (socket: Duplex) => {
    connections.set(socket, {
      unanswered: new Map(),
      requests: 0,
      last: requestsPerConnection,
      ending: false,
    })
    socket.once('close', () => connections.delete(socket))
  })
  // Before the framework's own listener, which begins to carry the request out.
  server.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    const number = ++connection.requests
    connection.unanswered.set(request, number)
    if (closing) connection.last = Math.min(connection.last, number)
    if (number === connection.last) response.setHeader('connection', 'close')
    response.once('close', () => {
      connection.unanswered.delete(request)
      if ((closing || connection.ending) && connection.unanswered.size === 0) socket.destroySoon()
    })
  })
  server.addHook('onRequest', (request, reply, done) => {
    const connection = connections.get(request.raw.socket)
    if (connection && numberOf(connection, request.raw) > connection.last) {
      // The connection closes before this request could be answered, so it is not carried out. What follows is left
      // unread; Node would go on reading once it has taken this request in.
      reply.hijack()
      setImmediate(() => request.raw.socket.pause())
    } else done()
  })
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const connection = connections.get(raw.socket)
    if (closing && connection && endsWith(connection, numberOf(connection, raw)))
      reply.header('connection', 'close')
    done()
  })
  server.addHook('preClose', async () => {
    closing = true
    for (const [socket, { unanswered }] of connections) if (unanswered.size === 0) socket.destroy()
    setTimeout(() => server.server.closeAllConnections(), closeTimeoutMilliseconds).unref()
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

/** Whether no request came behind the one of this number; then none does any more. */
function endsWith(connection: Connection, number: number): boolean {
  if (number < Math.min(connection.requests, connection.last)) return false
  connection.last = number
  return true
}

const numberOf = ({ unanswered }: Connection, request: IncomingMessage): number =>
  unanswered.get(request) ?? 0
