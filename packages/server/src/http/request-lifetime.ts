import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import { unavailable } from '../call/problem.ts'

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
