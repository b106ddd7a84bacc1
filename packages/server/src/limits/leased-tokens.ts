/** A quota that is there at once, and refills evenly over its window of seconds. */
export interface Limit {
  quota: number
  window: number
}

/** How many of a bucket's tokens this node holds to give out by itself. Times are in milliseconds of a clock that only goes forward. */
export interface LeasedTokens {
  /** Taken from the bucket, and not given out yet. */
  held: number
  /** What the taking left in the bucket, and when it was asked for. */
  left: number
  since: number
}

const perMillisecond = ({ quota, window }: Limit) => quota / window / 1000

/** What the bucket has by now at most: it refills, and other nodes only take from it. */
const bucketHas = (share: LeasedTokens, limit: Limit, now: number): number =>
  Math.min(limit.quota, share.left + (now - share.since) * perMillisecond(limit))

/**
 * What the node may still give out of its share: no more than the bucket lacks. A bucket that refills does not know of
 * tokens that nodes still hold, and together with them would have more than the quota. So a share melts away as the
 * bucket gets full; in a bucket that was emptied it keeps.
 */
const usable = (share: LeasedTokens, limit: Limit, now: number): number =>
  Math.min(share.held, limit.quota - bucketHas(share, limit, now))

/** Gives out a token of the share. False where it has none. */
export function spend(share: LeasedTokens, limit: Limit, now: number): boolean {
  const has = usable(share, limit, now)
  if (has < 1) return false
  share.held = has - 1
  return true
}

/** How many more the caller may use, as far as this node knows. Not always whole. */
export const remaining = (share: LeasedTokens, limit: Limit, now: number): number =>
  bucketHas(share, limit, now) + usable(share, limit, now)

/** In how many milliseconds a bucket that has so much gets to have so much. */
export const millisecondsUntil = (limit: Limit, has: number, wanted: number): number =>
  Math.max(0, wanted - has) / perMillisecond(limit)

/** How many tokens to hold beyond those that are wanted at once: none of a small quota, where each one counts. */
export const leaseSize = ({ quota }: Limit): number => (quota < 500 ? 0 : Math.floor(quota / 50))
