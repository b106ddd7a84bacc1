import { positionBeforeSql } from '../../database/partitions/history-period.ts'
import { readUnscoped, type Reader } from '../../database/statement.ts'

/** Whether all events after a position are kept, whoever may see them. Without a retention they always are. */
export async function isKeptAfter(reader: Reader, position: string): Promise<boolean> {
  return (await reader.one(keptAfter, [position]))?.is_kept ?? true
}

// By the period of the position, and not by whether events were in it: a caller must not learn of hidden ones.
const keptAfter = readUnscoped<{ is_kept: boolean }>(
  'feed_kept_after',
  `select $1::bigint >= coalesce(max(${positionBeforeSql('(number + 1)')}), 0) as is_kept
   from history_periods where 'events' = any (dropped)`,
)
