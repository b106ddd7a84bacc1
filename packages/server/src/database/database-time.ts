import { readUnscoped, type Reader } from './statement.ts'

/**
 * The database's clock. Times that statements compare with that clock are computed from it, because a node's clock may
 * differ.
 */
export async function databaseTime(reader: Reader): Promise<Date> {
  return new Date((await reader.one(timeNow, {}))?.at as string)
}

const timeNow = readUnscoped<{ at: string }>('database_time', 'select statement_timestamp() as at')

/** SQL: a moment as it is written in an answer, for moments that become part of JSON. */
export const jsonTimeSql = (moment: string) =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
