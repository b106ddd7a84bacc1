import { connect, type Socket } from 'node:net'

/** An answer as received. */
export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** A connection for writing what no HTTP client would. */
export interface RawConnection {
  write(...pieces: (string | Buffer)[]): void
  /** The next answer. For a HEAD request there is no body to wait for. */
  answer(options?: { head?: boolean }): Promise<RawAnswer>
  /** Resolves with the milliseconds after which the service closed the connection. */
  closed: Promise<number>
  /** Closes the connection. */
  destroy(): void
}

export async function rawConnection(base_url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(base_url)
  const start = performance.now()
  const socket = connect({ host: hostname, port: Number(port) })
  const closed = Promise.withResolvers<number>()
  // Put together only when an answer is looked for: content of gigabytes may arrive before that.
  let pieces: Buffer[] = []
  let wake: (() => void) | undefined
  let over = false
  socket.on('data', data => {
    pieces.push(data)
    wake?.()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    over = true
    closed.resolve(performance.now() - start)
    wake?.()
  })
  await new Promise<void>(resolve => socket.once('connect', resolve))

  /** Waits for more data, for longer than any timeout of the service. */
  async function woken(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(() => reject(new Error('No answer came.')), 25_000)
    await promise.finally(() => clearTimeout(timer))
  }

  return {
    write: (...pieces) => writeAll(socket, pieces),
    async answer({ head = false } = {}) {
      for (;;) {
        const received = Buffer.concat(pieces)
        const found = takeAnswer(received, head)
        pieces = [found ? received.subarray(found.length) : received]
        if (found) return found.answer
        if (over)
          throw new Error(
            `The connection was closed before an answer; it said: ${received.toString('latin1')}`,
          )
        await woken()
      }
    },
    closed: closed.promise,
    destroy: () => socket.destroy(),
  }
}

/** Sends bytes on a connection of their own, and gives the first answer. */
export async function sendRaw(base_url: string, ...pieces: (string | Buffer)[]): Promise<RawAnswer> {
  const connection = await rawConnection(base_url)
  try {
    connection.write(...pieces)
    return await connection.answer({ head: String(pieces[0]).startsWith('HEAD ') })
  } finally {
    connection.destroy()
  }
}

/** A request of these lines, the request line first. */
export const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n\r\n`

function writeAll(socket: Socket, pieces: readonly (string | Buffer)[]): void {
  for (const piece of pieces) if (socket.writable) socket.write(piece)
}

function takeAnswer(received: Buffer, head: boolean): { answer: RawAnswer; length: number } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...headerLines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    headerLines.map(line => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const status = Number(statusLine.split(' ')[1])
  const bodiless = head || status === 304 || status < 200
  const length = end + 4 + (bodiless ? 0 : Number(headers['content-length'] ?? 0))
  if (received.length < length) return undefined
  return { answer: { status, headers, body: received.subarray(end + 4, length).toString() }, length }
}
