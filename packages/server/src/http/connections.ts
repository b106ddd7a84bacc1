import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A connection is closed after so many requests, so that clients spread over nodes that were added since they came. */
const requestsPerConnection = 1_000
/** How long requests that are under way when the service stops may take to end, in milliseconds. */
const patience = 10_000

interface Use {
  underWay: number
  requests: number
}

/**
 * Says when connections end. When the service stops: those without a request at once, the others after their answer, all
 * of them when patience is over. Node alone would wait for ever for a client that connects and says nothing; and it
 * would answer what comes after the last request of a connection with an empty 503.
 */
export function manageConnections(server: FastifyInstance): void {
  const connections = new Map<Socket, Use>()
  let closing = false

  server.server.on('connection', (socket: Socket) => {
    connections.set(socket, { underWay: 0, requests: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const use = connections.get(socket)
    if (!use) return
    use.underWay++
    use.requests++
    response.once('close', () => {
      use.underWay--
      if (closing && use.underWay === 0) socket.destroySoon()
    })
  })
  server.addHook('onSend', async ({ raw }, reply) => {
    const isLast = (connections.get(raw.socket)?.requests ?? 0) >= requestsPerConnection
    if (closing || isLast) reply.header('connection', 'close')
  })
  server.addHook('preClose', async () => {
    closing = true
    for (const [socket, { underWay }] of connections) if (underWay === 0) socket.destroySoon()
    setTimeout(() => server.server.closeAllConnections(), patience).unref()
  })
}
