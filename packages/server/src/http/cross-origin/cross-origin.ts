import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from '../vary.ts'
import { answerHeaders, requestHeaders } from './header-names.ts'

/** Lets browsers give answers to pages of other origins (CORS, section 3.3 of the Fetch standard). */
export interface CrossOrigin {
  /** Adds what every answer needs, whoever asks. A cache that serves several origins must know that it depends on them. */
  mark(request: FastifyRequest, reply: FastifyReply): void
  /** Whether a browser asks if a page may send a request, for a page that may. */
  isPreflight(request: FastifyRequest): boolean
  /** Answers a preflight: the methods of the path, and every header that the service reads. */
  answerPreflight(reply: FastifyReply, methods: readonly string[]): void
}

/** As long as Chromium keeps such an answer. */
const keptSeconds = 7200

/** For these origins, as browsers write them. Without any, answers say nothing of origins and there are no preflights. */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined
  const allowed = new Set(origins)
  const isAllowed = ({ headers }: FastifyRequest) => allowed.has(headers.origin ?? '')
  return {
    mark(request, reply) {
      addVary(reply, 'Origin')
      if (!isAllowed(request)) return
      // No Access-Control-Allow-Credentials: the service knows no cookies, and credentials are headers of the request.
      reply.headers({
        'access-control-allow-origin': request.headers.origin,
        'access-control-expose-headers': answerHeaders.join(', '),
      })
    },
    isPreflight: request =>
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined &&
      isAllowed(request),
    answerPreflight(reply, methods) {
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': methods.join(', '),
          'access-control-allow-headers': requestHeaders.join(', '),
          'access-control-max-age': String(keptSeconds),
        })
        .send()
    },
  }
}
