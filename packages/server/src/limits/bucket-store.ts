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
