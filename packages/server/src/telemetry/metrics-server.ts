import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { MetricsSettings } from './metrics-settings.ts'

/** Serves `GET /metrics`. */
export interface MetricsServer {
  /** Ends all connections. */
  close(): Promise<void>
}

interface MetricsServerSettings extends MetricsSettings {
  /** All metrics now. */
  text(): Promise<string>
  /** How long a text is answered again, in milliseconds, so that many scrapers cost no more than one. Default: 1,000. */
  keep?: number
  /** How long a scrape may take, from its first byte to its last, in milliseconds. Default: 10,000. */
  longestScrape?: number
}

const mostConnections = 16

/**
 * Listens for scrapes. Nobody is identified: whoever reaches the port may read, so it must not be reachable from everywhere.
 * The few connections and short timeouts keep slow and many scrapers from taking memory or time of the service.
 */
export async function serveMetrics(settings: MetricsServerSettings): Promise<MetricsServer> {
  const { host, port, longestScrape = 10_000 } = settings
  const text = keptFor(settings.keep ?? 1_000, settings.text)
  const server = createServer(
    {
      headersTimeout: longestScrape / 2,
      requestTimeout: longestScrape,
      connectionsCheckingInterval: Math.min(1_000, longestScrape / 4),
      maxHeaderSize: 8 * 1024,
    },
    (request, response) => {
      // A connection is not kept, so that idle scrapers do not take the place of others.
      response.shouldKeepAlive = false
      const timer = setTimeout(() => response.destroy(), longestScrape)
      response.once('close', () => clearTimeout(timer))
      void answer(request, response, text)
    },
  )
  server.maxConnections = mostConnections
  server.timeout = longestScrape
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen({ host, port }, listening.resolve)
  await listening.promise
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  text: () => Promise<string>,
): Promise<void> {
  const say = (status: number, said: string, headers = {}) =>
    response
      .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
      .end(request.method === 'HEAD' ? undefined : said)
  const [path] = (request.url ?? '').split('?', 1)
  if (path !== '/metrics') return void say(404, 'Metrics are at /metrics.\n')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void say(405, 'Metrics are read with GET.\n', { allow: 'GET, HEAD' })
  try {
    const metrics = await text()
    say(200, metrics, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  } catch {
    say(500, 'The metrics could not be read.\n')
  }
}

/** Reads once for all who ask at the same time, or soon after. */
function keptFor(milliseconds: number, read: () => Promise<string>): () => Promise<string> {
  let kept: { text: Promise<string>; until: number } | null = null
  return () => {
    if (kept && performance.now() < kept.until) return kept.text
    const reading = { text: read(), until: Infinity }
    kept = reading
    const settle = () => void (reading.until = performance.now() + milliseconds)
    reading.text.then(settle, settle)
    return reading.text
  }
}
