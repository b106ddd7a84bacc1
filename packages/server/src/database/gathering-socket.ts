import { Socket } from 'node:net'

/**
 * A socket that gives the system at once what is written to it in one turn of the event loop. The driver writes each
 * statement by itself, in several pieces, which is a call to the system each time, and wakes PostgreSQL for the first before
 * the others are there.
 */
export function gatheringSocket(): Socket {
  const socket = new Socket()
  // Socket.connect() puts its own `write` in the place of any other.
  return socket.once('connect', () => gatherWrites(socket))
}

function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathered: Buffer[] = []
  const sendGathered = () => {
    if (gathered.length === 0) return
    const pieces = gathered
    gathered = []
    write(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
  }
  socket.write = (...written: unknown[]) => {
    const [piece] = written
    if (written.length > 1 || !Buffer.isBuffer(piece)) {
      sendGathered()
      return write(...written)
    }
    if (gathered.length === 0) process.nextTick(sendGathered)
    gathered.push(piece)
    return true
  }
}
