import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { holds } from '../answers/entity-tags.ts'
import { addVary } from '../vary.ts'
import { acceptedCoding, type Coding } from './accepted-coding.ts'

/** A text that is the same for everybody until the service is replaced by another version. */
export interface Document {
  /** The media type, with the charset of a text. */
  type: string
  /** The content, or what makes it at the first request. */
  body: string | Buffer | (() => string | Buffer | Promise<string>)
  /** Headers of each answer, 304 included, because a cache takes over the headers of a 304. */
  headers?: Record<string, string>
}

/** Serves a document at a path. */
export function serveDocument(server: FastifyInstance, path: string, document: Document): void {
  server.get(path, documentSender(document))
}

/**
 * Sends a document, compressed if the client accepts it, or 304 if the client has it already. Caches ask each time
 * whether it has changed: pages link to each other, and a reader must not see some of the last version and some of this.
 *
 * Each form is made at the first request for it and kept: the content, and what brotli and gzip make of it, which for
 * text of this kind is less than a tenth each. Compression runs in the thread pool. It is safe here, because a document
 * has no secret and nothing of the request; answers of operations have both, so they are not compressed (BREACH).
 */
export function documentSender({
  type,
  body,
  headers,
}: Document): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const formOf = keepForms(body)
  return async (request, reply) => {
    const coding = acceptedCoding(request.headers['accept-encoding'])
    const { content, tag } = await formOf(coding)
    reply.headers({ 'cache-control': 'public, no-cache', ...headers, etag: tag })
    addVary(reply, 'Accept-Encoding')
    if (holds(request.headers['if-none-match'], tag)) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.type(type).send(content)
  }
}

/** What is sent in one coding. The entity tag is strong: it is a hash of these bytes. */
interface Form {
  content: Buffer
  tag: string
}

function keepForms(body: Document['body']): (coding: Coding) => Promise<Form> {
  const forms = new Map<Coding, Promise<Form>>()
  // A text is kept once, as it is sent.
  const source = typeof body === 'function' ? body : bytesOf(body)
  const make = async (coding: Coding): Promise<Form> => {
    const content =
      coding === 'identity'
        ? bytesOf(typeof source === 'function' ? await source() : source)
        : await compress[coding]((await keep('identity')).content)
    return { content, tag: `"${createHash('sha256').update(content).digest('base64url')}"` }
  }
  const keep = (coding: Coding): Promise<Form> => {
    const known = forms.get(coding)
    if (known) return known
    const form = make(coding)
    forms.set(coding, form)
    // The next request tries again.
    form.catch(() => forms.delete(coding))
    return form
  }
  return keep
}

const bytesOf = (content: string | Buffer) => (typeof content === 'string' ? Buffer.from(content) : content)

/** Brotli with quality 9 takes 40 ms for a megabyte of JSON. Quality 11 takes 500 ms for 8% less. */
const compress = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
}
