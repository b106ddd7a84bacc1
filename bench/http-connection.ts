import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * A connection that sends one request after the other with minimal HTTP/1.1: the benchmark shares the machine with the
 * server, and `node:http` needs several times the processor time.
 */
export interface HttpConnection {
  /** Gives the body. Throws for anything but 200 or 201, because refusals are fast and would look like speed. */
  send(method: string, path: string, headers: Record<string, string>, body: string | Buffer): Promise<string>
  close(): void
}

/** Opens a connection. Answers must have a Content-Length and keep the connection open. */
export async function openHttpConnection(base_url: string): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(base_url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  const answers = answersOf(socket)
  return {
    async send(method, path, headers, body) {
      if (socket.destroyed) throw new Error('The connection was closed between two requests.')
      const lines = Object.entries({ host, ...headers, 'content-length': String(Buffer.byteLength(body)) })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const answered = answers.next()
      const begin = `${method} ${path} HTTP/1.1\r\n${head}\r\n`
      if (typeof body === 'string') socket.write(begin + body)
      else {
        socket.write(begin)
        socket.write(body)
      }
      const { status, text } = await answered
      if (status !== 200 && status !== 201) throw new Error(`${method} ${path} answered ${status}: ${text}`)
      return text
    },
    close: () => socket.destroy(),
  }
}

interface Received {
  status: number
  text: string
}

function answersOf(socket: Socket): { next(): Promise<Received> } {
  let waiting: PromiseWithResolvers<Received> | undefined
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = rest.indexOf('\r\n\r\n') + 4
    if (end < 4) return
    const head = rest.toString('latin1', 0, end)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) return socket.destroy(new Error(`An answer has no Content-Length: ${head}`))
    if (rest.length < end + Number(length)) return undefined
    const text = rest.toString('utf8', end, end + Number(length))
    rest = rest.subarray(end + Number(length))
    return waiting?.resolve({ status: Number(head.slice(9, 12)), text })
  })
  socket.on('error', error => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The connection was closed before the answer came.')))
  return {
    next() {
      waiting = Promise.withResolvers<Received>()
      return waiting.promise
    },
  }
}
