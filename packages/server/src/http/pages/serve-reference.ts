import type { FastifyInstance } from 'fastify'
import type { ApiDocument } from './reference/document.ts'
import { createReference } from './reference-pages.ts'
import { pathOf } from './reference/paths.ts'
import { script } from './reference/browser/script.ts'
import { style } from './reference/browser/style.ts'
import { serveDocument } from './serve-document.ts'

const html = 'text/html; charset=utf-8'

/** Files of the service alone: nothing in a page can run or load anything else. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** Serves the reference: its pages, the pages of problems, and the search. */
export function addReference(server: FastifyInstance, openApi: () => ApiDocument): void {
  const reference = createReference(openApi)
  for (const [path, body] of reference.pages) serveDocument(server, `/${path}`, { type: html, body, headers })
  serveDocument(server, `/${pathOf.style}`, { type: 'text/css; charset=utf-8', body: style })
  serveDocument(server, `/${pathOf.script}`, { type: 'text/javascript; charset=utf-8', body: script })
  serveDocument(server, `/${pathOf.searchIndex}`, {
    type: 'application/json; charset=utf-8',
    body: reference.index,
  })
  server.get(`/${pathOf.search}`, async (request, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-store' })
      .type(html)
      .send(reference.search(queryOf(request.url))),
  )
}

/** What is searched for: as many characters as the field takes. */
function queryOf(url: string): string {
  const at = url.indexOf('?')
  return (new URLSearchParams(at < 0 ? '' : url.slice(at)).get('q') ?? '').trim().slice(0, 200)
}
