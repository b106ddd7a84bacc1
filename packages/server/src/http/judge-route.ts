import { apiVersion } from '@wbs/contract/system'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import serverPackage from '../../package.json' with { type: 'json' }
import { invalid, Problem } from '../call/problem.ts'
import type { CrossOrigin } from './cross-origin/cross-origin.ts'

/** Refuses requests without a route before anything else of them is read, bodies included. */
export function judgeRoute(
  server: FastifyInstance,
  allowedMethods: (pathname: string) => string[],
  crossOrigin: CrossOrigin | undefined,
): void {
  // Synchronous, because an async hook would delay each request. What it throws is handled like the errors of other
  // hooks.
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    crossOrigin?.mark(request, reply)
    refuseAmbiguousTarget(request)
    if (!request.is404 && !namesNothing(request)) return done()
    const methods = allowedMethods(pathnameOf(request))
    if (methods.length === 0 || !crossOrigin?.isPreflight(request)) throw unrouted(methods)
    crossOrigin.answerPreflight(reply, methods)
  })
}

/** Operations read the query of a request themselves. */
export const leaveQueryUnread = () => ({})

/** For a path that ends in a slash or has two in a row, the router reports an empty parameter. */
function namesNothing({ params }: FastifyRequest): boolean {
  for (const [name, value] of Object.entries(params as Record<string, string>))
    if (value === '' && name !== '*') return true
  return false
}

/** 405 if the path exists with other methods, else 404. */
function unrouted(allowed: readonly string[]): Problem {
  const allow = allowed.join(', ')
  if (allow === '') return nothingAtPath()
  return new Problem('method_not_allowed', `This path supports ${allow}.`, {}, { allow })
}

export const nothingAtPath = () => new Problem('not_found', 'There is nothing at this path.', {})

/** Headers of every answer. If a browser displays one as a page, nothing in it runs, loads or is framed. */
export const commonHeaders = (request_id: string) => ({
  'svc-request-id': request_id,
  'svc-api-version': apiVersion,
  'svc-version': serverPackage.version,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
})

/** The path of a request as it was sent, also of a target in absolute form (`GET http://host/path`). */
export function pathnameOf(request: FastifyRequest): string {
  const target = request.raw.url ?? '/'
  const pathname = target.split('?', 1)[0] as string
  return pathname.startsWith('/') ? pathname : (absolute(pathname)?.pathname ?? pathname)
}

/**
 * Throws validation_error if two programs could read different requests: no HTTP version, a host that is missing,
 * malformed or different from the target's, or a target with a fragment.
 */
function refuseAmbiguousTarget(request: FastifyRequest): void {
  const { headers, raw } = request
  const target = raw.url ?? '/'
  if (raw.httpVersionMajor !== 1) throw badTarget('The request line must end in HTTP/1.1 or HTTP/1.0.')
  if (target.includes('#')) throw badTarget('The request target must not have a fragment.')
  if (headers.host === undefined) {
    if (raw.httpVersion === '1.1') throw badHost('The header Host is required.')
  } else if (!hostForm.test(headers.host))
    throw badHost('The header Host must be a host name or address, with or without a port.')
  if (target.startsWith('/')) return
  const named = /^https?:\/\/([^/?]*)/i.exec(target)?.[1]
  if (named !== undefined && named.toLowerCase() !== headers.host?.toLowerCase())
    throw badHost('The request target and the header Host name different hosts.')
}

const hostForm = /^(?:[\w.~-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

const absolute = (target: string) => (URL.canParse(target) ? new URL(target) : undefined)

const badTarget = (detail: string): Problem => invalid([{ in: 'path', pointer: '', code: 'format', detail }])
const badHost = (detail: string): Problem =>
  invalid([{ in: 'header', pointer: '/Host', code: 'format', detail }])
