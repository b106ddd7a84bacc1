import { Socket } from 'node:net'

/**
 * A socket that coalesces the writes of one turn of the event loop. The driver writes each statement in several pieces;
 * each would be a system call, and the first would wake PostgreSQL before the rest has arrived.
 */
export function coalescingSocket(): Socket {
  const socket = new Socket()
  // Socket.connect() replaces `write`, so it is wrapped afterwards.
  return socket.once('connect', () => gatherWrites(socket))
}

/** Writes beyond this size are sent at once, so that a sender of much data is told when the socket's buffer is full. */
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
    // Runs after everything else in this turn of the loop, so that the statements of many requests are one write.
    if (gathered.length === 0) setImmediate(sendGathered)
    gathered.push(piece)
    bytes += piece.length
    return bytes < mostGathered ? !socket.writableNeedDrain : sendGathered()
  }
}
