import { readOpen, type Reader } from './statement.ts'

/**
 * What time it is for the database: what others compare with its clock is reckoned from this, however far a node's own
 * clock is off.
 */
export async function databaseTime(reader: Reader): Promise<Date> {
  return new Date((await reader.one(timeNow, []))?.at as string)
}

const timeNow = readOpen<{ at: string }>('database_time', 'select statement_timestamp() as at')
