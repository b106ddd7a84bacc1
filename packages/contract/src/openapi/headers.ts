import { limitsOf } from '../limits.ts'
import type { Operation } from '../operation.ts'

/** The headers of answers, as components of the document. */
export const headerComponents = {
  RequestId: {
    schema: { type: 'string' },
    description: 'The ID of the request, the same as request_id.',
  },
  ApiVersion: { schema: { type: 'string' }, description: 'The version of the interface.' },
  ServiceVersion: {
    schema: { type: 'string', examples: ['0.3.0'] },
    description: 'The version of the service that answers.',
  },
  RateLimitPolicy: {
    schema: { type: 'string', examples: ['"read";q=6000;w=60'] },
    description:
      'The rate limits that the request counts for: the name of each, its quota (q), and the number of seconds in which the quota refills (w). Not sent if the installation has no rate limits.',
  },
  RateLimit: {
    schema: { type: 'string', examples: ['"read";r=5987;t=1'] },
    description:
      'What remains of each rate limit: the number of requests (r), and the number of seconds (t) until the quota is full again or, if r is 0, until the next request is accepted. Not sent if the installation has no rate limits.',
  },
  RetryAfter: {
    schema: { type: 'integer', minimum: 1 },
    description: 'The number of seconds to wait before you send the same request again.',
  },
  AcceptRanges: {
    schema: { type: 'string', examples: ['bytes'] },
    description: 'Always bytes: you can request a range of the content.',
  },
  ContentDisposition: {
    schema: { type: 'string', examples: [`attachment; filename="plan.pdf"; filename*=UTF-8''plan.pdf`] },
    description: 'The name of the file.',
  },
  ContentETag: {
    schema: { type: 'string', examples: [`"${'0'.repeat(64)}"`] },
    description: 'The SHA-256 of the whole content in hexadecimal, in quotes.',
  },
  ContentRange: {
    schema: { type: 'string', examples: ['bytes 0-1023/4096'] },
    description: 'The first and the last byte of this answer, and the size of the whole content.',
  },
  UnsatisfiedRange: {
    schema: { type: 'string', examples: ['bytes */4096'] },
    description: 'The size of the whole content.',
  },
  ReprDigest: {
    schema: { type: 'string', examples: [`sha-256=:${'A'.repeat(43)}=:`] },
    description: 'The SHA-256 of the whole content in base64 (RFC 9530), also with a range.',
  },
}

const reference = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` })

const ofRateLimits = { 'RateLimit-Policy': reference('RateLimitPolicy'), RateLimit: reference('RateLimit') }

export const isLimited = (op: Operation) => limitsOf(op).length > 0

/** The headers of a successful answer. */
export const answerHeaders = (op: Operation): object => ({
  'SVC-Request-Id': reference('RequestId'),
  'SVC-API-Version': reference('ApiVersion'),
  'SVC-Version': reference('ServiceVersion'),
  ...(isLimited(op) && ofRateLimits),
})

/** The headers of an answer with content, or with a range of it. */
export const contentHeaders = (op: Operation, isRange: boolean): object => ({
  ...answerHeaders(op),
  'Accept-Ranges': reference('AcceptRanges'),
  ...(isRange && { 'Content-Range': reference('ContentRange') }),
  'Content-Disposition': reference('ContentDisposition'),
  ETag: reference('ContentETag'),
  'Repr-Digest': reference('ReprDigest'),
})

/** The headers of an answer with the status 304. */
export const unchangedHeaders = (op: Operation): object => ({
  ...answerHeaders(op),
  ETag: reference('ContentETag'),
})

/** The headers of an answer with the status 416. */
export const unsatisfiedHeaders: object = { 'Content-Range': reference('UnsatisfiedRange') }

/** The headers of an answer with the status 429. */
export const refusalHeaders: object = { ...ofRateLimits, 'Retry-After': reference('RetryAfter') }
