import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A connection is closed after so many requests, so that clients spread over nodes that were added since they came. */
const requestsPerConnection = 1_000
/** How long requests that are under way when the service stops may take to end, in milliseconds. */
const patience = 10_000

interface Connection {
  unanswered: Set<IncomingMessage>
  requests: number
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
 * Says when connections end. When the service stops: those without a request at once, the others after their answer, all
 * of them when patience is over. Node alone would wait for ever for a client that connects and says nothing; and it
 * would answer what comes after the last request of a connection with an empty 503.
 */
export function manageConnections(server: FastifyInstance): Connections {
  const connections = new Map<Duplex, Connection>()
  let closing = false

  server.server.on('connection', (socket: Duplex) => {
    connections.set(socket, { unanswered: new Set(), requests: 0, ending: false })
    socket.once('close', () => connections.delete(socket))
  })
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connection.requests++
    connection.unanswered.add(request)
    response.once('close', () => {
      connection.unanswered.delete(request)
      if ((closing || connection.ending) && connection.unanswered.size === 0) socket.destroySoon()
    })
  })
  server.addHook('onSend', async ({ raw }, reply) => {
    const isLast = (connections.get(raw.socket)?.requests ?? 0) >= requestsPerConnection
    if (closing || isLast) reply.header('connection', 'close')
  })
  server.addHook('preClose', async () => {
    closing = true
    for (const [socket, { unanswered }] of connections) if (unanswered.size === 0) socket.destroy()
    setTimeout(() => server.server.closeAllConnections(), patience).unref()
  })

  return {
    endAfterAnswers(socket) {
      const connection = connections.get(socket)
      if (!connection || ![...connection.unanswered].some(request => request.complete)) return false
      connection.ending = true
      return true
    },
  }
}
