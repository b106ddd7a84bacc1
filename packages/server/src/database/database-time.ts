import { readUnscoped, type Reader } from './statement.ts'

/**
 * What time it is for the database. Moments that statements compare with its clock are calculated from this: the clock of a
 * node may differ.
 */
export async function databaseTime(reader: Reader): Promise<Date> {
  return new Date((await reader.one(timeNow, []))?.at as string)
}

const timeNow = readUnscoped<{ at: string }>('database_time', 'select statement_timestamp() as at')
