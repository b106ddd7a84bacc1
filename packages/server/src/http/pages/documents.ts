import type { FastifyInstance } from 'fastify'
import type { RateLimitedTransport } from '../requests/before-body.ts'
import { addVary } from '../vary.ts'
import { prefersHtml } from './prefers-html.ts'
import type { ApiDocument } from './reference/document.ts'
import { serveDocument } from './serve-document.ts'
import { addReference } from './serve-reference.ts'

/**
 * Serves the OpenAPI document, and the reference for readers. The document is made when it is asked for, and only the text
 * that was sent is kept: as values it takes several times the memory, and it is made again in the time of a few requests.
 */
export function addDocuments(
  server: FastifyInstance,
  openApi: () => object,
  limits: Pick<RateLimitedTransport, 'limiter'> = {},
): void {
  const text = () => JSON.stringify(openApi())
  serveDocument(server, '/openapi.json', { type: 'application/json; charset=utf-8', body: text })
  addReference(server, () => JSON.parse(text()) as ApiDocument, limits)
  leadToDocuments(server)
}

/** The answer of `/`: where the documents are. The addresses are relative, since a proxy may serve them under another path. */
const start = JSON.stringify({ service: 'svc', docs_url: '/docs', openapi_url: '/openapi.json' })

function leadToDocuments(server: FastifyInstance): void {
  server.get('/', async (request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    addVary(reply, 'Accept')
    if (prefersHtml(request.headers.accept)) return reply.redirect('docs', 302)
    return reply.type('application/json; charset=utf-8').send(start)
  })
  server.get('/docs/', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').redirect('../docs', 301),
  )
}
