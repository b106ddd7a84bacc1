import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Plugin, PluginCall, PluginOutcome } from '../../../src/plugins/plugin.ts'
import type { Network } from '../../../src/plugins/http-json/connect.ts'
import { createHttpJson } from '../../../src/plugins/http-json/http-json.ts'

/** The host of the local apps. It has no address but the one that a test gives it. */
export const host = 'app.example'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface LocalApp {
  port: number
  /** The requests that came, in order. */
  received: Received[]
  /** How many connections came. */
  connections: number
  answers(answer: (response: ServerResponse, request: IncomingMessage) => void): void
  close(): Promise<void>
}

/** A server on this machine, of HTTP or, with a certificate, of HTTPS. */
export async function startLocalApp(tls?: { cert: string; key: string }): Promise<LocalApp> {
  let answer: Parameters<LocalApp['answers']>[0] = response => json(response, { ok: true })
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => '')
    const { method = '', url = '', headers } = request
    app.received.push({ method, url, headers, body })
    answer(response, request)
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response)
  const server: Server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.on('connection', () => app.connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const app: LocalApp = {
    port: (server.address() as AddressInfo).port,
    received: [],
    connections: 0,
    answers(next) {
      answer = next
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return app
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** A network in which every name is that of this machine. */
export const localNetwork = (over: Partial<Network> = {}): Network => ({
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  connectTime: 1000,
  totalTime: 2000,
  ...over,
})

export const httpJson = (hosts: string[], network: Network = localNetwork(), allowPrivate = true): Plugin =>
  createHttpJson({ hosts, allowPrivate }, network)

/** Calls an operation, by default `get`. */
export const ask = (
  plugin: Plugin,
  base_url: string,
  args: PluginCall['arguments'] = { path: '/orders' },
  over: Partial<PluginCall> = {},
): Promise<PluginOutcome> =>
  plugin.call({
    config: { base_url },
    operation: 'get',
    arguments: args,
    idempotency_key: null,
    signal: new AbortController().signal,
    ...over,
  })
