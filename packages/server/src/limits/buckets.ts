import type { BucketStore } from './bucket-store.ts'
import {
  remaining,
  leaseSize,
  spend,
  millisecondsUntil,
  type Limit,
  type LeasedTokens,
} from './leased-tokens.ts'

/** What became of a request for a token. */
export interface Verdict {
  allowed: boolean
  /** How many more there are; null where the store did not say, and nobody is refused. */
  remaining: number | null
  /** In how many milliseconds there is one, where there is none now. */
  wait: number
}

/** This node's view of the buckets that all nodes leased. */
export interface Buckets {
  /** Takes a token, at once where this node holds one. */
  take(bucket: string, limit: Limit): Verdict | Promise<Verdict>
  /** Puts a token back that was not used after all. */
  giveBack(bucket: string): void
  /** In how many milliseconds the bucket may have a token, as far as this node knows; 0 where it may have one now. */
  emptyFor(bucket: string): number
}

interface Bucket {
  limit: Limit
  leased: LeasedTokens
  /** Until then the bucket is known to be empty, and nobody asks it. */
  emptyUntil: number
  /** Those who wait for what the store says next. */
  waiting: ((verdict: Verdict) => void)[]
  asking: boolean
}

interface BucketsSettings {
  store: BucketStore
  log: { warn(details: object, message: string): void }
  /** Milliseconds of a clock that only goes forward. */
  clock?: () => number
}

/** So many buckets a node remembers; of what it has forgotten, it asks again. */
const mostBuckets = 20_000
/** After a failure the store is left alone so long, that not every request waits for another. */
const pauseAfterFailure = 2_000
const silenceBetweenWarnings = 60_000
const betweenClearings = 120_000
// The database and this node measure the same wait with clocks of their own.
const clockTolerance = 2

const unknown: Verdict = { allowed: true, remaining: null, wait: 0 }

export function createBuckets({ store, log, clock = () => performance.now() }: BucketsSettings): Buckets {
  const buckets = new Map<string, Bucket>()
  let failing = false
  let pausedUntil = 0
  let silentUntil = 0
  let clearedAt = clock()

  function bucketOf(name: string, limit: Limit): Bucket {
    const known = buckets.get(name)
    if (known) return known
    if (buckets.size >= mostBuckets) buckets.delete(buckets.keys().next().value as string)
    const leased = { held: 0, left: 0, since: clock() }
    const bucket: Bucket = { limit, leased, emptyUntil: 0, waiting: [], asking: false }
    buckets.set(name, bucket)
    return bucket
  }

  /** What can be said without asking the store, or null. */
  function decideLocally(bucket: Bucket): Verdict | null {
    const now = clock()
    const { leased, limit } = bucket
    if (spend(leased, limit, now)) return { allowed: true, ...view(bucket, now) }
    if (bucket.emptyUntil > now) return { allowed: false, remaining: 0, wait: bucket.emptyUntil - now }
    if (pausedUntil > now) return unknown
    // One of them finds out whether the store is back; the others do not wait for it.
    if (failing) pausedUntil = now + pauseAfterFailure
    return null
  }

  /** Asks the store for all who wait, over and over until nobody does: a bucket is asked once at a time. */
  async function takeForWaiting(name: string, bucket: Bucket): Promise<void> {
    bucket.asking = true
    while (bucket.waiting.length > 0) {
      const served = bucket.waiting.splice(0)
      const verdicts = await takeFromStore(name, bucket, served.length)
      for (const [i, tell] of served.entries()) tell(verdicts(i))
      // Those who came meanwhile may find what they want in the leased.
      while (bucket.waiting.length > 0) {
        const verdict = decideLocally(bucket)
        if (!verdict) break
        bucket.waiting.shift()?.(verdict)
      }
    }
    bucket.asking = false
  }

  /** Gives a verdict for each of those that a taking was for: the first of them get what it was given. */
  async function takeFromStore(
    name: string,
    bucket: Bucket,
    needed: number,
  ): Promise<(i: number) => Verdict> {
    const { limit } = bucket
    const since = clock()
    try {
      const { granted, left } = await store.take(name, limit, needed, leaseSize(limit))
      const now = clock()
      failing = false
      pausedUntil = 0
      bucket.leased = { held: Math.max(0, granted - needed), left, since }
      if (left < 1 && bucket.leased.held === 0)
        bucket.emptyUntil = now + millisecondsUntil(limit, left, 1) + clockTolerance
      const told = view(bucket, now)
      const wait = Math.max(0, bucket.emptyUntil - now)
      return i => (i < granted ? { allowed: true, ...told } : { allowed: false, remaining: 0, wait })
    } catch (error) {
      failing = true
      pausedUntil = clock() + pauseAfterFailure
      warn(error)
      return () => unknown
    }
  }

  function warn(error: unknown): void {
    const now = clock()
    if (now < silentUntil) return
    silentUntil = now + silenceBetweenWarnings
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'rate limits cannot be counted; requests pass without')
  }

  /** Clears what is full anyway out of the database and out of memory, once in a while. */
  function clearNowAndThen(): void {
    const now = clock()
    if (now - clearedAt < betweenClearings) return
    clearedAt = now
    for (const [name, bucket] of buckets)
      if (!bucket.asking && remaining(bucket.leased, bucket.limit, now) >= bucket.limit.quota)
        buckets.delete(name)
    store.forgetFull().catch(warn)
  }

  return {
    take(name, limit) {
      const bucket = bucketOf(name, limit)
      const verdict = decideLocally(bucket)
      if (verdict) return verdict
      const { promise, resolve } = Promise.withResolvers<Verdict>()
      bucket.waiting.push(resolve)
      if (!bucket.asking) void takeForWaiting(name, bucket)
      clearNowAndThen()
      return promise
    },
    giveBack(name) {
      const leased = buckets.get(name)?.leased
      if (leased) leased.held++
    },
    emptyFor: name => Math.max(0, (buckets.get(name)?.emptyUntil ?? 0) - clock()),
  }
}

/** How many more there are, and how long there is none. */
function view({ leased, limit }: Bucket, now: number): Omit<Verdict, 'allowed'> {
  const has = remaining(leased, limit, now)
  return { remaining: has, wait: millisecondsUntil(limit, has, 1) }
}
