import type { LimitPolicy } from '@wbs/contract/limits'
import type { Verdict } from './buckets.ts'
import { millisecondsUntil, type Limit } from './leased-tokens.ts'

/** A bucket that a request is counted in, by a policy. */
export interface RateLimitCharge {
  policy: LimitPolicy
  limit: Limit
  bucket: string
}

/** And what came of it. */
export type ChargeResult = RateLimitCharge & Verdict

/** RateLimit-Policy and RateLimit, as draft-ietf-httpapi-ratelimit-headers has them: lists of items with parameters. */
export function limitHeaders(counted: readonly ChargeResult[]): Record<string, string> {
  const known = counted.filter(one => one.remaining !== null)
  const policies = counted.map(({ policy, limit }) => `"${policy}";q=${limit.quota};w=${limit.window}`)
  const left = known.map(one => `"${one.policy}";r=${Math.floor(one.remaining ?? 0)};t=${seconds(one)}`)
  return {
    'ratelimit-policy': policies.join(', '),
    ...(left.length > 0 && { ratelimit: left.join(', ') }),
  }
}

/** Whole seconds until the quota is whole again; where nothing is left, until there is something. */
export function seconds({ limit, remaining, wait }: ChargeResult): number {
  const has = remaining ?? 0
  return Math.ceil((has < 1 ? Math.max(1, wait) : millisecondsUntil(limit, has, limit.quota)) / 1000)
}

/** Of the buckets of one policy, the one that has less left: it is the one that counts. */
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
