import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyRequest {
    lifetime: RequestLifetime
  }
}

/** A request and its answer. It ends when the answer has been sent, or when its client is gone. */
export interface RequestLifetime {
  /** Calls when it ends, and at once where it has ended already: what is taken for a request is given back by this. */
  onEnd(release: () => void): void
}

/**
 * Follows each exchange from the first moment of its request. A listener that is added later, after something was waited
 * for, may come after the event, and would never be called. This must be the first hook of the server.
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
  return {
    onEnd(release) {
      if (ended) release()
      else releases.push(release)
    },
  }
}
