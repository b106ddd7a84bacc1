import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Answers `Expect: 100-continue` when the service has decided to take the body. */
export interface LateContinue {
  /** Asks the client for the body, if it waits to be asked. */
  ask(request: IncomingMessage, response: ServerResponse): void
}

/**
 * Node asks for every body at once. For requests that `isLate` names, the client is asked later or gets a refusal
 * instead, after which the connection closes, because the client may send the body or not.
 */
export function askLate(
  server: FastifyInstance,
  isLate: (request: IncomingMessage) => boolean,
): LateContinue {
  const waiting = new WeakSet<IncomingMessage>()
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isLate(request)) waiting.add(request)
    else response.writeContinue()
    server.server.emit('request', request, response)
  })
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (waiting.has(request.raw)) reply.raw.setHeader('connection', 'close')
    done()
  })
  return {
    ask(request, response) {
      if (waiting.delete(request)) response.writeContinue()
    },
  }
}
