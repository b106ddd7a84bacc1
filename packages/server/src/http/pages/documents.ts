import type { FastifyInstance } from 'fastify'
import { addVary } from '../answers/vary.ts'
import { prefersHtml } from './prefers-html.ts'
import { serveDocument } from './serve-document.ts'

/** Serves the OpenAPI document, and the reference page for readers. */
export function addDocuments(server: FastifyInstance, documents: { openapi: string; page: string }): void {
  serveDocument(server, '/openapi.json', { type: 'application/json; charset=utf-8', body: documents.openapi })
  serveDocument(server, '/docs', {
    type: 'text/html; charset=utf-8',
    body: documents.page,
    headers: {
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })
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
