import type { SingleWrites } from '../database/connections/single-writes.ts'
import { write } from '../database/statement.ts'

/** A quota, available at once and refilled evenly over its window of seconds. */
export interface Limit {
  quota: number
  window: number
}

/** The tokens that a bucket granted, and those it has left: less than one if it could not grant all that were needed. */
export interface TokenGrant {
  granted: number
  left: number
}

/** The token buckets that all nodes share, in the database. */
export interface BucketStore {
  /**
   * Takes the tokens that are needed, and spare ones to lease: of a bucket that runs low at most a tenth, so that no
   * node keeps the rest. An unknown bucket is full.
   */
  take(bucket: string, limit: Limit, needed: number, spare: number): Promise<TokenGrant>
  /** Deletes buckets that nobody took from for so long that they are full, up to a limit. */
  forgetFull(): Promise<void>
}

// Uses the database's clock, read once when the row is locked. If it is set back, nothing is refilled.
const rateLimitTake = write<TokenGrant>(
  'rate_limit_taken',
  `with asked as (select :bucket::text as bucket, :quota::float8 as quota, :seconds::float8 as seconds, :needed::float8 as needed, :spare::float8 as spare)
   insert into rate_limits as b (bucket, tokens, refilled_at, granted)
   select bucket, quota - given, clock_timestamp(), given
   from asked, lateral (select least(quota, needed + least(spare, floor(quota / 10))) as given) n
   on conflict (bucket) do update set (tokens, refilled_at, granted) = (
     select available - given, at, given
     from (select clock_timestamp() as at) clock, asked,
          lateral (select least(quota, b.tokens + greatest(0, extract(epoch from at - b.refilled_at)::float8) * quota / seconds) as available) refilled,
          lateral (select least(floor(available), needed + least(spare, floor(available / 10))) as given) n)
   returning granted, tokens as left`,
)

// A bucket that is used again has a new time once it is locked.
const deleteFullBuckets = write(
  'rate_limit_full_forgotten',
  `delete from rate_limits where refilled_at < clock_timestamp() - interval '1 hour' and bucket in (
     select bucket from rate_limits where refilled_at < clock_timestamp() - interval '1 hour'
     limit 10000 for update skip locked)`,
)

export const createBucketStore = (writes: SingleWrites): BucketStore => ({
  async take(bucket, { quota, window }, needed, spare) {
    const [row] = await writes.run(rateLimitTake, { bucket, quota, seconds: window, needed, spare })
    if (!row) throw new Error('The statement that takes rate-limit tokens returned no row.')
    return row
  },
  forgetFull: async () => void (await writes.run(deleteFullBuckets, {})),
})

/** The result of a request for a token. */
export interface Verdict {
  allowed: boolean
  /** How many tokens are left; null if the store did not answer, in which case nobody is refused. */
  remaining: number | null
  /** After how many milliseconds there is one, if there is none now. */
  wait: number
}

/** This node's view of the token buckets that all nodes share. */
export interface Buckets {
  /** Takes a token, without asking the store if this node has leased some. */
  take(bucket: string, limit: Limit): Verdict | Promise<Verdict>
  /** Returns a token that was not used. */
  giveBack(bucket: string): void
  /** After how many milliseconds the bucket may have a token, as far as this node knows; 0 if it may have one now. */
  emptyFor(bucket: string): number
}

interface Bucket {
  limit: Limit
  leased: LeasedTokens
  /** Until then the bucket is known to be empty, and the store is not asked. */
  emptyUntil: number
  /** Those who wait for the store's next answer. */
  waiting: ((verdict: Verdict) => void)[]
  asking: boolean
}

interface BucketsSettings {
  store: BucketStore
  log: { warn(details: object, message: string): void }
  /** Called each time the store does not answer. */
  noteFailure?(): void
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
}

/** How many buckets a node remembers. For a forgotten one it asks the store again. */
const mostBuckets = 20_000
/** After a failure, requests do not wait for the store for so long. */
const pauseAfterFailure = 2_000
const silenceBetweenWarnings = 60_000
const betweenClearings = 120_000
// The database and this node measure the same time with different clocks.
const clockTolerance = 2

const unknown: Verdict = { allowed: true, remaining: null, wait: 0 }

export function createBuckets({
  store,
  log,
  noteFailure,
  clock = performance.now.bind(performance),
}: BucketsSettings): Buckets {
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

  /** The result if it is known without asking the store, or null. */
  function decideLocally(bucket: Bucket): Verdict | null {
    const now = clock()
    const { leased, limit } = bucket
    const { inBucket, usable } = tokensAt(leased, limit, now)
    if (usable >= 1) {
      leased.held = usable - 1
      return {
        allowed: true,
        remaining: inBucket + leased.held,
        wait: waitFor(limit, inBucket + leased.held),
      }
    }
    if (bucket.emptyUntil > now) return { allowed: false, remaining: 0, wait: bucket.emptyUntil - now }
    if (pausedUntil > now) return unknown
    // One request finds out whether the store is back; the others do not wait for it.
    if (failing) pausedUntil = now + pauseAfterFailure
    return null
  }

  /** Asks the store for all who wait, until nobody does. There is one request at a time for each bucket. */
  async function takeForWaiting(name: string, bucket: Bucket): Promise<void> {
    bucket.asking = true
    while (bucket.waiting.length > 0) {
      const served = bucket.waiting.splice(0)
      const verdicts = await takeFromStore(name, bucket, served.length)
      for (const [i, tell] of served.entries()) tell(verdicts(i))
      // Those who came meanwhile may be served from the leased tokens.
      while (bucket.waiting.length > 0) {
        const verdict = decideLocally(bucket)
        if (!verdict) break
        bucket.waiting.shift()?.(verdict)
      }
    }
    bucket.asking = false
  }

  /** Takes tokens for several requests. The first ones get what was granted. */
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
      noteFailure?.()
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
    log.warn({ reason }, 'rate limits cannot be checked; requests are admitted without them')
  }

  /** Removes full buckets from the database and from memory, now and then. */
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

/** How many tokens are left, and after how long there is one. */
function view({ leased, limit }: Bucket, now: number): Omit<Verdict, 'allowed'> {
  const has = remaining(leased, limit, now)
  return { remaining: has, wait: waitFor(limit, has) }
}

const waitFor = (limit: Limit, has: number): number => (has >= 1 ? 0 : millisecondsUntil(limit, has, 1))

/** The tokens that this node has leased from a bucket. Times are milliseconds of a monotonic clock. */
interface LeasedTokens {
  /** Taken from the bucket and not used yet. */
  held: number
  /** What was left in the bucket after the last request, and when that was sent. */
  left: number
  since: number
}

const perMillisecond = ({ quota, window }: Limit) => quota / window / 1000

/**
 * `inBucket`: an upper bound of what the bucket has now; it refills, and other nodes only take from it.
 *
 * `usable`: how many leased tokens may still be used, no more than the bucket lacks. A bucket refills without knowing of the
 * tokens that nodes hold, so bucket and leases together could exceed the quota. The lease therefore shrinks as the
 * bucket fills up.
 */
function tokensAt(share: LeasedTokens, limit: Limit, now: number): { inBucket: number; usable: number } {
  const refilled = share.left + (now - share.since) * perMillisecond(limit)
  const inBucket = Math.min(limit.quota, refilled)
  return { inBucket, usable: Math.min(share.held, limit.quota - inBucket) }
}

/** How many more tokens the caller may use, as far as this node knows. Not always an integer. */
function remaining(share: LeasedTokens, limit: Limit, now: number): number {
  const { inBucket, usable } = tokensAt(share, limit, now)
  return inBucket + usable
}

/** After how many milliseconds a bucket with `has` tokens has `wanted`. */
export const millisecondsUntil = (limit: Limit, has: number, wanted: number): number =>
  Math.max(0, wanted - has) / perMillisecond(limit)

/** How many spare tokens to lease: none of a small quota, where each one counts. */
const leaseSize = ({ quota }: Limit): number => (quota < 500 ? 0 : Math.floor(quota / 50))
