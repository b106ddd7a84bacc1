import { Socket } from 'node:net'

/**
 * A socket that gives the system at once what is written to it in one turn of the event loop. The driver writes each
 * statement by itself, which is a call to the system each time, and wakes PostgreSQL for the first before the others are
 * there.
 */
export function gatheringSocket(): Socket {
  const socket = new Socket()
  // Socket.connect() puts its own `write` in the place of any other.
  return socket.once('connect', () => gatherWrites(socket))
}

function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let gathers = false
  const sendGathered = () => {
    gathers = false
    socket.uncork()
  }
  socket.write = (...written: unknown[]) => {
    if (!gathers) {
      gathers = true
      socket.cork()
      process.nextTick(sendGathered)
    }
    return write(...written)
  }
}
