import type { FastifyInstance, FastifyReply } from 'fastify'

/** How long a caller may have an answer wait, in milliseconds; a little more than operations let them. */
const longestWait = 31_000

/** What is known of the requests that wait. */
export interface Waits {
  /** A signal for when nobody waits for this answer any more: the connection is gone, or the service stops. */
  endOf(reply: FastifyReply): AbortSignal
}

/** Ends what waits when the service stops: it could go on for as long as callers like. */
export function manageWaits(server: FastifyInstance): Waits {
  const waiting = new Set<AbortController>()
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
    for (const one of waiting) one.abort()
  })
  return {
    endOf(reply) {
      const end = new AbortController()
      if (closing) end.abort()
      waiting.add(end)
      reply.raw.once('close', () => {
        waiting.delete(end)
        end.abort()
      })
      return end.signal
    },
  }
}

/** Lets nothing move on a connection for as long as an answer may be waited for; Node holds the next request to the usual again. */
export const allowSilence = ({ raw }: FastifyReply, silence: number): void =>
  void raw.socket?.setTimeout(silence + longestWait)
