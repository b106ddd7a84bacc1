import type { FastifyRequest } from 'fastify'
import { invalid, type Problem } from '../call/problem.ts'

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
export function refuseAmbiguousTarget(request: FastifyRequest): void {
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
