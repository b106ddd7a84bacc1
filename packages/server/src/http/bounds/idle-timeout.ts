import type { FastifyReply } from 'fastify'
import type { WaitWithoutSlot } from '../../call/waiting/wait-without-slot.ts'

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
