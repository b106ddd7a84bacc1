import type { LimitPolicy } from '@wbs/contract/limits'
import type { Verdict } from './buckets.ts'
import { millisecondsUntil, type Limit } from './leased-tokens.ts'

/** A token that a request is charged, by a policy. */
export interface RateLimitCharge {
  policy: LimitPolicy
  limit: Limit
  bucket: string
}

/** The charge with its result. */
export type ChargeResult = RateLimitCharge & Verdict

/** The headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): lists of items with parameters. */
export function limitHeaders(counted: readonly ChargeResult[]): Record<string, string> {
  const known = counted.filter(one => one.remaining !== null)
  const policies = counted.map(({ policy, limit }) => `"${policy}";q=${limit.quota};w=${limit.window}`)
  const left = known.map(one => `"${one.policy}";r=${Math.floor(one.remaining ?? 0)};t=${seconds(one)}`)
  return {
    'ratelimit-policy': policies.join(', '),
    ...(left.length > 0 && { ratelimit: left.join(', ') }),
  }
}

/** Seconds until the quota is whole again or, if it is used up, until a token is available. */
export function seconds({ limit, remaining, wait }: ChargeResult): number {
  const has = remaining ?? 0
  return Math.ceil((has < 1 ? Math.max(1, wait) : millisecondsUntil(limit, has, limit.quota)) / 1000)
}

/** For each policy, the bucket with the fewest tokens left, which is the one that counts. */
export function scarcest(counted: readonly ChargeResult[]): ChargeResult[] {
  const byPolicy = new Map<LimitPolicy, ChargeResult>()
  for (const one of counted) {
    const other = byPolicy.get(one.policy)
    if (!other || hasLess(one, other)) byPolicy.set(one.policy, one)
  }
  return [...byPolicy.values()]
}

function hasLess(one: ChargeResult, other: ChargeResult): boolean {
  if (one.allowed !== other.allowed) return other.allowed
  if (!one.allowed) return one.wait > other.wait
  return (one.remaining ?? Infinity) < (other.remaining ?? Infinity)
}
