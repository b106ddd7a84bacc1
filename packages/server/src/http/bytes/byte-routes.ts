import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bytes } from '../../call/bytes.ts'
import { addressKey } from '../../limits/address.ts'
import { sendBytes } from '../answers/send-bytes.ts'
import { truncatedBody } from '../answers/problem-json.ts'
import type { Bounds } from '../bounds/bounds.ts'
import { countRequest, type RateLimitedTransport } from '../requests/before-body.ts'
import { checkPartHeaders, requireSize } from './check-part.ts'
import { askLate, type LateContinue } from './late-continue.ts'
import type { LongBodies } from './long-bodies.ts'
import { receiveBody, type ArrivalRate } from './receive-body.ts'

/** What is behind URLs that carry their own authority. Such a request needs no credential, and is no operation. */
export interface ByteRoutes {
  /**
   * Judges a URL of `PUT /v1/uploads/{upload_id}/parts/{part_number}` before the body is read. Throws Problem: forbidden
   * for a URL that was altered or has expired, not_found, state_conflict, validation_error.
   */
  takePart(target: PartTarget): Promise<Part>
  /**
   * The content that a URL of `GET /v1/downloads/{token}` leads to. Only sending it may use the link up (`beforeSending`).
   * Throws Problem.
   */
  openLink(token: string, request: { address: string }): Promise<Bytes>
}

export interface PartTarget {
  upload_id: string
  part_number: string
  query: URLSearchParams
  address: string
}

export interface Part {
  /** The size that the part must have. */
  size_bytes: number
  /** The caller who got the URL, as principalOf() names them. The transfer counts for them too. */
  principal?: string
  /**
   * Stores the part: exactly `size_bytes` bytes. The iterable throws if the client disconnects or is too slow; then
   * nothing must remain, and write() rejects. `etag` is sent as it is, so it has its quotes.
   */
  write(body: AsyncIterable<Uint8Array>): Promise<{ etag: string }>
}

export interface ByteTransport extends RateLimitedTransport {
  bounds: Bounds
  /** The idle timeout of a connection, in milliseconds. */
  idleTimeout: number
  /** How fast the body of a part must arrive. */
  arrivalRate: ArrivalRate
}

/** What the rate limits and the log know of these requests. */
const limited = { kind: 'query', tag: 'Files', limits: ['content'] } as const
const partPath = /^\/v1\/uploads\/[^/]+\/parts\/[^/]+$/

/** Adds the routes of parts and of links, with parsers of their own: a part has any content type. */
export function addByteRoutes(
  server: FastifyInstance,
  transport: ByteTransport,
  routes: ByteRoutes,
  longBodies: LongBodies,
): void {
  const lateContinue = askLate(
    server,
    ({ method, url = '' }) => method === 'PUT' && partPath.test(url.split('?', 1)[0] as string),
  )
  const count = (request: FastifyRequest, reply: FastifyReply) =>
    transport.bounds.identifying.bounded(() => countRequest(limited, transport, request, reply))
  void server.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.put('/v1/uploads/:upload_id/parts/:part_number', {
      config: { operation: 'put_part' },
      onRequest: async (request, reply) => {
        await count(request, reply)
        checkPartHeaders(request)
        // The framework would refuse a content type that is not well formed.
        delete request.headers['content-type']
      },
      handler: (request, reply) =>
        putPart({ ...transport, routes, longBodies, lateContinue }, request, reply),
    })
    scope.get('/v1/downloads/:token', {
      config: { operation: 'open_link', instance: '/v1/downloads/{token}' },
      onRequest: count,
      handler: (request, reply) => openLink(transport, routes, request, reply),
    })
  })
}

async function openLink(
  { bounds, idleTimeout }: ByteTransport,
  routes: ByteRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token } = request.params as { token: string }
  if (request.method === 'GET')
    request.lifetime.onEnd(bounds.transfers.begin({ address: addressKey(request.ip), principal: null }))
  const bytes = await routes.openLink(token, { address: request.ip })
  return sendBytes(bytes, request, reply, idleTimeout)
}

interface PartTransport extends ByteTransport {
  routes: ByteRoutes
  longBodies: LongBodies
  lateContinue: LateContinue
}

/** Takes a part: judges its URL, then lets its body through to the store. */
async function putPart(
  transport: PartTransport,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const part = await admitPart(transport, request)
  requireSize(request, part.size_bytes)
  const end = transport.longBodies.begin(request.raw)
  const body = receiveBody(request, transport.arrivalRate)
  try {
    transport.lateContinue.ask(request.raw, reply.raw)
    const { etag } = await part.write(body)
    return reply.code(200).headers({ etag, 'cache-control': 'private, no-store' }).send()
  } catch (error) {
    // The store may wrap the reason why the body broke off, which is no fault.
    throw request.raw.destroyed && !request.raw.complete ? truncatedBody() : error
  } finally {
    // A store that fails may leave the body in the middle, paused.
    void body.return()
    end()
  }
}

/** Counts the transfer, first for the address and then also for the caller who got the URL, and judges the URL. */
async function admitPart(
  { bounds: { transfers }, routes }: PartTransport,
  request: FastifyRequest,
): Promise<Part> {
  const address = addressKey(request.ip)
  const leave = transfers.begin({ address, principal: null })
  request.lifetime.onEnd(leave)
  const part = await routes.takePart(targetOf(request))
  if (part.principal === undefined) return part
  request.facts.principal = part.principal
  leave()
  request.lifetime.onEnd(transfers.begin({ address, principal: part.principal }))
  return part
}

function targetOf(request: FastifyRequest): PartTarget {
  const { upload_id, part_number } = request.params as { upload_id: string; part_number: string }
  const { url = '' } = request.raw
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  return { upload_id, part_number, query: new URLSearchParams(search), address: request.ip }
}
