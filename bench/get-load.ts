import { connect, type Socket } from 'node:net'
import { loadOf, type Load, type LoadOptions } from './load.ts'

/**
 * Repeats one GET on bare sockets. An HTTP client uses as much of the machine as a server, which would make two servers
 * on the same machine look more alike than they are.
 */
export function loadOfGet(
  url: string,
  headers: Readonly<Record<string, string>>,
  options: LoadOptions,
): Promise<Load> {
  const { host, hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
  const sockets = new Map<number, Socket>()

  async function send(connection: number): Promise<void> {
    const socket = sockets.get(connection) ?? connect({ host: hostname, port: Number(port), noDelay: true })
    sockets.set(connection, socket)
    socket.write(request)
    if ((await answerOn(socket)).isLast) {
      sockets.delete(connection)
      socket.destroy()
    }
  }

  return loadOf(send, options).finally(() => sockets.forEach(socket => socket.destroy()))
}

/** Reads one answer to its end. Anything but 200 stops the run, because refusals are fast and would look like speed. */
function answerOn(socket: Socket): Promise<{ isLast: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ isLast: boolean }>()
  let text = ''
  const take = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
    if (text.length < head + 4 + length) return
    if (text.startsWith('HTTP/1.1 200'))
      resolve({ isLast: /\r\nconnection: close/i.test(text.slice(0, head)) })
    else reject(new Error(`It was answered: ${text}`))
  }
  const end = () => reject(new Error(`The connection ended in the midst of an answer: ${text}`))
  socket.on('data', take).once('error', reject).once('close', end)
  return promise.finally(() => socket.off('data', take).off('error', reject).off('close', end))
}
