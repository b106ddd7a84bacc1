import { positionBeforeSql } from '../../database/partitions/history-period.ts'
import { readUnscoped, type Reader } from '../../database/statement.ts'

/** Whether all events after a position are kept, whoever may see them. Without a retention they always are. */
export const isKeptAfter = async (reader: Reader, position: string): Promise<boolean> =>
  BigInt(position) >= BigInt(await startOfKept(reader))

/** The position after which all events are kept: 0 if none was removed. It is the same for every reader. */
export const startOfKept = async (reader: Reader): Promise<string> =>
  (await reader.one(keptAfter, {}))?.position ?? '0'

// By the period of the position, and not by whether events were in it: a caller must not learn of hidden ones.
const keptAfter = readUnscoped<{ position: string }>(
  'feed_kept_after',
  `select coalesce(max(${positionBeforeSql('(number + 1)')}), 0)::text as position
   from history_periods where 'events' = any (dropped)`,
)
