import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../call/problem.ts'

/** How long a caller may have an answer wait, in milliseconds; a little more than operations let them. */
const longestWait = 31_000

/** What is known of the requests that wait. */
export interface Waits {
  /** A signal for when nobody waits for this answer any more: the connection is gone, or the service stops. */
  endOf(reply: FastifyReply): AbortSignal
  /** Notes that an answer waits from here on. Throws rate_limited where too many of its caller's do already. */
  begin(principal: string, reply: FastifyReply): void
}

/**
 * Ends what waits when the service stops: it could go on for as long as callers like. A caller may have `most` waiting at a
 * time: each holds a connection, and asks the database whenever something happens.
 */
export function manageWaits(server: FastifyInstance, most: number): Waits {
  const held = new Map<string, number>()
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
    begin(principal, reply) {
      const others = held.get(principal) ?? 0
      if (others >= most) throw tooMany(most)
      held.set(principal, others + 1)
      reply.raw.once('close', () => {
        const left = (held.get(principal) ?? 1) - 1
        if (left === 0) held.delete(principal)
        else held.set(principal, left)
      })
    },
  }
}

const tooMany = (most: number) =>
  new Problem(
    'rate_limited',
    `${most} ${most === 1 ? 'stream or long poll' : 'streams and long polls'} of this caller are open already; close one first.`,
    { 'violated-policies': ['waiting'] },
    { 'retry-after': '1' },
  )

/** Lets nothing move on a connection for as long as an answer may be waited for; Node holds the next request to the usual again. */
export const allowSilence = ({ raw }: FastifyReply, silence: number): void =>
  void raw.socket?.setTimeout(silence + longestWait)
