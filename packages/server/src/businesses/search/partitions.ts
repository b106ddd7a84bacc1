import type { Id } from '@wbs/contract/ids'
import { readUnscoped, type Reader } from '../../database/statement.ts'

/** Where the partitions of the published Businesses begin, after the first, in order. Each is an id or the beginning of one. */
export type PartitionBounds = () => Promise<readonly string[]>

const freshMilliseconds = 60_000

/**
 * Reads the bounds, once a minute. Outdated ones do no harm: any bounds divide all ids into ranges, and PostgreSQL reads the
 * partitions that a range meets.
 */
export function createPartitionBounds(reader: Reader): PartitionBounds {
  let bounds: Promise<readonly string[]> | null = null
  let readAt = 0
  return () => {
    const now = performance.now()
    if (bounds !== null && now - readAt < freshMilliseconds) return bounds
    readAt = now
    const reading = reader.many(partitionBounds, {}).then(rows => rows.map(row => row.to_id))
    reading.catch(() => {
      if (bounds === reading) bounds = null
    })
    bounds = reading
    return reading
  }
}

const partitionBounds = readUnscoped<{ to_id: string }>(
  'business_partition_bounds',
  'select to_id from published_business_partitions where to_id is not null order by to_id',
)

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idLength = 'biz_'.length + 26

/**
 * The greatest id that is less than a bound: as a cursor it continues from the bound. No Business need have it. The bound must
 * have a character other than zero after the prefix.
 */
export function lastIdBefore(bound: string): Id<'biz'> {
  const known = bound.replace(/0+$/, '')
  const lowered = alphabet[alphabet.indexOf(known.at(-1) ?? '') - 1] ?? ''
  return (known.slice(0, -1) + lowered).padEnd(idLength, 'Z') as Id<'biz'>
}
