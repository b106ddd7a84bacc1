import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Release } from '../bounds/keyed-counter.ts'

/** How long the rest of a body is discarded after its request was refused, so that the client can read the answer. */
const lingerMilliseconds = 2_000

/** Requests whose bodies may take longer than the request timeout and the idle timeout. */
export interface LongBodies {
  /** Exempts a request from both timeouts until its work ends. */
  begin(request: IncomingMessage): Release
  /** Whether a timeout of this connection concerns an exempt request whose body is still arriving. */
  isArriving(socket: Duplex): boolean
}

export function createLongBodies(idleTimeout: number): LongBodies {
  const underWay = new Map<Duplex, IncomingMessage>()

  function end(request: IncomingMessage, socket: Socket): void {
    if (underWay.get(socket) === request) underWay.delete(socket)
    if (socket.destroyed) return
    socket.setTimeout(idleTimeout)
    // Node reports a request timeout only once, so the rest of a refused body would have none.
    if (!request.complete)
      setTimeout(() => {
        if (!request.complete) socket.destroy()
      }, lingerMilliseconds).unref()
  }

  return {
    begin(request) {
      const { socket } = request
      underWay.set(socket, request)
      socket.setTimeout(0)
      return () => end(request, socket)
    },
    isArriving: socket => underWay.get(socket)?.complete === false,
  }
}
