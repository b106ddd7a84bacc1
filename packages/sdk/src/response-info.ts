/** A rate limit that a request counted for. What the service did not say is null. */
export interface RateLimit {
  name: string
  /** How many requests it allows in each window. */
  quota: number | null
  /** In seconds. */
  window: number | null
  /** How many requests are left. */
  remaining: number | null
  /** Seconds until the quota is full again or, if nothing is left, until the next request is accepted. */
  reset: number | null
}

/** What an answer says besides its content. */
export interface ResponseInfo {
  status: number
  /** Null if something other than the service answered. */
  request_id: string | null
  /** Whether this is the answer to an earlier request with the same Idempotency-Key. */
  idempotent_replay: boolean
  /** Without change, quotes included: what `if_none_match` takes. */
  etag: string | null
  /** Empty if the service has no rate limits, or answered before it counted. */
  rate_limits: readonly RateLimit[]
  headers: Headers
}

/** Reads the headers of a response. A browser shows a page of another origin only the headers that the service exposes. */
export const infoOf = ({ status, headers }: Response): ResponseInfo => ({
  status,
  request_id: headers.get('svc-request-id'),
  idempotent_replay: headers.get('idempotent-replayed') === 'true',
  etag: headers.get('etag'),
  rate_limits: rateLimitsOf(headers),
  headers,
})

const parameters = { q: 'quota', w: 'window', r: 'remaining', t: 'reset' } as const

/** RateLimit-Policy and RateLimit are lists of names with parameters: `"read";q=6000;w=60`. */
function rateLimitsOf(headers: Headers): RateLimit[] {
  const limits = new Map<string, RateLimit>()
  for (const header of ['ratelimit-policy', 'ratelimit'])
    for (const [, name = '', rest = ''] of (headers.get(header) ?? '').matchAll(/"([^"]*)"([^,]*)/g)) {
      const limit = limits.get(name) ?? { name, quota: null, window: null, remaining: null, reset: null }
      for (const [, key, value] of rest.matchAll(/;\s*([qwrt])=(\d+)/g))
        limit[parameters[key as keyof typeof parameters]] = Number(value)
      limits.set(name, limit)
    }
  return [...limits.values()]
}
