import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nothingAtPath } from '../judge-route.ts'
import { countRequest, type RateLimitedTransport } from '../requests/before-body.ts'
import type { ApiDocument } from './reference/document.ts'
import type { Reference } from './reference-pages.ts'
import { pathOf } from './reference/paths.ts'
import { script } from './reference/browser/script.ts'
import { style } from './reference/browser/style.ts'
import { documentSender, serveDocument } from './serve-document.ts'

const html = 'text/html; charset=utf-8'

/** Files of the service alone: nothing in a page can run or load anything else. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/**
 * Serves the reference: its pages, the pages of problems, and the search. Which pages there are is found out at the first
 * request for one, since it takes the whole OpenAPI document; what writes them is loaded then too.
 */
export function addReference(
  server: FastifyInstance,
  openApi: () => ApiDocument,
  limits: Pick<RateLimitedTransport, 'limiter'>,
): void {
  let made: Reference | undefined
  const reference = async () => (made ??= (await import('./reference-pages.ts')).createReference(openApi))
  const page = pageSender(reference)
  server.get(`/${pathOf.start}`, async (request, reply) => page(pathOf.start, request, reply))
  server.get('/docs/*', async (request, reply) => page(`docs/${restOf(request)}`, request, reply))
  server.get('/problems/*', async (request, reply) => page(`problems/${restOf(request)}`, request, reply))
  serveDocument(server, `/${pathOf.style}`, { type: 'text/css; charset=utf-8', body: style })
  serveDocument(server, `/${pathOf.script}`, { type: 'text/javascript; charset=utf-8', body: script })
  serveDocument(server, `/${pathOf.searchIndex}`, {
    type: 'application/json; charset=utf-8',
    body: async () => (await reference()).index(),
  })
  server.get(`/${pathOf.search}`, {
    // A search reads the whole index, while others wait.
    onRequest: (request, reply) => countRequest(searching, limits, request, reply),
    handler: async (request, reply) =>
      reply
        .headers({ ...headers, 'cache-control': 'no-store' })
        .type(html)
        .send((await reference()).search(queryOf(request.url))),
  })
}

/** Sends the page of an address. Its forms are kept, as those of every document are. */
function pageSender(reference: () => Promise<Reference>) {
  const senders = new Map<string, ReturnType<typeof documentSender>>()
  return async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = (await reference()).pages.get(path)
    if (!body) throw nothingAtPath()
    const send = senders.get(path) ?? documentSender({ type: html, body, headers })
    senders.set(path, send)
    return send(request, reply)
  }
}

/** What a path has after its fixed part, decoded. */
const restOf = ({ params }: FastifyRequest) => (params as { '*': string })['*']

/** What the rate limits know of a search: it counts for its address, as a search for Businesses does. */
const searching = { kind: 'query', tag: 'Documents', limits: ['search'] } as const

/** What is searched for: as many characters as the field takes. */
function queryOf(url: string): string {
  const at = url.indexOf('?')
  return (new URLSearchParams(at < 0 ? '' : url.slice(at)).get('q') ?? '').trim().slice(0, 200)
}
