import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Receives the browser that comes back from the issuer, on a free port of this machine (RFC 8252). */
export interface Callback {
  redirect_uri: string
  /** The address to which the browser came back. */
  arrived: Promise<URL>
  /** Answers the browser. */
  answer(message: string): void
  close(): Promise<void>
}

/** Waits for the first request with this state. All others are answered and change nothing. */
export async function startCallback(state: string): Promise<Callback> {
  const arrival = deferred<URL>()
  let first: ServerResponse | null = null
  const server = createServer((request, response) => {
    const url = requestedUrl(request, host())
    if (typeof url === 'number') return send(response, url, 'There is nothing here.')
    if (!isEqual(url.searchParams.get('state') ?? '', state))
      return send(response, 400, 'This page does not belong to the sign-in that wbs waits for.')
    if (first !== null)
      return send(response, 200, 'wbs has what it needs from this page. You can close this page.')
    first = response
    arrival.resolve(url)
  })
  const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    redirect_uri: `http://${host()}/callback`,
    arrived: arrival.promise,
    answer(message) {
      if (first && !first.headersSent) send(first, 200, message)
    },
    async close() {
      server.close()
      server.closeIdleConnections()
      const stop = setTimeout(() => server.closeAllConnections(), 500)
      await once(server, 'close')
      clearTimeout(stop)
    },
  }
}

/** The address of a request for the callback, or the status with which it is refused. */
function requestedUrl({ method, url = '', headers }: IncomingMessage, host: string): URL | 404 | 405 | 421 {
  // A page of another host name that leads to this machine has no business here.
  if (headers.host !== host) return 421
  const asked = URL.parse(url, `http://${host}`)
  if (asked?.pathname !== '/callback' || asked.host !== host) return 404
  return method === 'GET' ? asked : 405
}

function isEqual(text: string, other: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function send(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer', // the address has the code
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>wbs</title><h1>wbs</h1><p>${message}</p></html>\n`,
  )
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(settle => (resolve = settle))
  return { promise, resolve }
}
