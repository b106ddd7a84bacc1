import { Socket } from 'node:net'

/**
 * A socket that gives the system at once what is written to it in one turn of the event loop. The driver writes each
 * statement by itself, in several pieces, which is a call to the system each time, and wakes PostgreSQL for the first before
 * the others are there.
 */
export function coalescingSocket(): Socket {
  const socket = new Socket()
  // Socket.connect() puts its own `write` in the place of any other.
  return socket.once('connect', () => gatherWrites(socket))
}

/** More than so many bytes are sent at once: whoever writes so much must hear that the socket is full. */
const mostGathered = 16 * 1024

function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathered: Buffer[] = []
  let bytes = 0

  function sendGathered(): boolean {
    if (gathered.length === 0) return true
    const all = gathered.length === 1 ? gathered[0] : Buffer.concat(gathered)
    ;[gathered, bytes] = [[], 0]
    return write(all)
  }

  socket.write = (...written: unknown[]) => {
    const [piece] = written
    if (written.length > 1 || !Buffer.isBuffer(piece)) {
      sendGathered()
      return write(...written)
    }
    // Behind all that this turn of the loop brings: what comes for many requests at once is one write, and not one each.
    if (gathered.length === 0) setImmediate(sendGathered)
    gathered.push(piece)
    bytes += piece.length
    return bytes < mostGathered ? !socket.writableNeedDrain : sendGathered()
  }
}
