import { limitsOf } from '../limits.ts'
import type { Operation } from '../operation.ts'

/** The headers of answers, as components of the document. */
export const headerComponents = {
  RequestId: {
    schema: { type: 'string' },
    description: 'The ID of the request, the same as request_id.',
  },
  ApiVersion: { schema: { type: 'string' }, description: 'The version of the interface.' },
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
}

const reference = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` })

const ofRateLimits = { 'RateLimit-Policy': reference('RateLimitPolicy'), RateLimit: reference('RateLimit') }

export const isLimited = (op: Operation) => limitsOf(op).length > 0

/** The headers of a successful answer. */
export const answerHeaders = (op: Operation): object => ({
  'SVC-Request-Id': reference('RequestId'),
  'SVC-API-Version': reference('ApiVersion'),
  ...(isLimited(op) && ofRateLimits),
})

/** The headers of an answer with the status 429. */
export const refusalHeaders: object = { ...ofRateLimits, 'Retry-After': reference('RetryAfter') }
