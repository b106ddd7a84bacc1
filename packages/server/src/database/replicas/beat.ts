import { readUnscoped, write } from '../statement.ts'

/**
 * The beat: a row that a node with replicas renews every second on the primary. A replica that shows a beat has everything
 * that was committed before it, and the beat says when that was. So its age bounds how old the answers of the replica are,
 * whether or not anybody writes, and whatever the clock of the replica says.
 */

/** A beat as a replica shows it; all null if it has none. */
export interface ShownBeat {
  in_recovery: boolean
  token: string | null
  at: string | null
  /** The transactions that had been committed, as PostgreSQL writes a snapshot. */
  snapshot: string | null
}

export interface BeatVerdict {
  /** Whether the primary wrote this beat, in the last minute. */
  is_ours: boolean
  /** In milliseconds, by the clock of the primary. */
  age: number
}

// Nodes that find the beat fresh write nothing, not even a lock.
export const freshBeat = readUnscoped<object>(
  'replication_beat_fresh',
  `select from replication_beat where at between clock_timestamp() - interval '900 milliseconds' and clock_timestamp()`,
)

export const renewBeat = write(
  'replication_beat_renew',
  `insert into replication_beat as b (token, earlier, at, snapshot)
   values (gen_random_uuid(), '{}', clock_timestamp(), pg_current_snapshot())
   on conflict (only_row) do update
     set token = excluded.token, earlier = (array[b.token] || b.earlier)[1:80], at = excluded.at, snapshot = excluded.snapshot
     where b.at not between clock_timestamp() - interval '900 milliseconds' and clock_timestamp()`,
)

export const shownBeat = readUnscoped<ShownBeat>(
  'replication_beat_shown',
  `select pg_is_in_recovery() as in_recovery, b.token, b.at, b.snapshot::text as snapshot
   from (values (1)) as always left join replication_beat b on true`,
)

export const beatVerdict = readUnscoped<BeatVerdict>(
  'replication_beat_verdict',
  `select token = :token::uuid or :token = any (earlier) as is_ours,
     (extract(epoch from clock_timestamp() - :at::timestamptz) * 1000)::float8 as age
   from replication_beat`,
)
