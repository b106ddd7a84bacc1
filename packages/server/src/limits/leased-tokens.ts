/** A quota, available at once and refilled evenly over its window of seconds. */
export interface Limit {
  quota: number
  window: number
}

/** The tokens that this node has leased from a bucket. Times are milliseconds of a monotonic clock. */
export interface LeasedTokens {
  /** Taken from the bucket and not used yet. */
  held: number
  /** What was left in the bucket after the last request, and when that was sent. */
  left: number
  since: number
}

const perMillisecond = ({ quota, window }: Limit) => quota / window / 1000

/** An upper bound of what the bucket has now: it refills, and other nodes only take from it. */
const bucketHas = (share: LeasedTokens, limit: Limit, now: number): number =>
  Math.min(limit.quota, share.left + (now - share.since) * perMillisecond(limit))

/**
 * How many leased tokens may still be used: no more than the bucket lacks. A bucket refills without knowing of the
 * tokens that nodes hold, so bucket and leases together could exceed the quota. The lease therefore shrinks as the
 * bucket fills up.
 */
const usable = (share: LeasedTokens, limit: Limit, now: number): number =>
  Math.min(share.held, limit.quota - bucketHas(share, limit, now))

/** Uses a leased token. Returns false if there is none. */
export function spend(share: LeasedTokens, limit: Limit, now: number): boolean {
  const has = usable(share, limit, now)
  if (has < 1) return false
  share.held = has - 1
  return true
}

/** How many more tokens the caller may use, as far as this node knows. Not always an integer. */
export const remaining = (share: LeasedTokens, limit: Limit, now: number): number =>
  bucketHas(share, limit, now) + usable(share, limit, now)

/** After how many milliseconds a bucket with `has` tokens has `wanted`. */
export const millisecondsUntil = (limit: Limit, has: number, wanted: number): number =>
  Math.max(0, wanted - has) / perMillisecond(limit)

/** How many spare tokens to lease: none of a small quota, where each one counts. */
export const leaseSize = ({ quota }: Limit): number => (quota < 500 ? 0 : Math.floor(quota / 50))
