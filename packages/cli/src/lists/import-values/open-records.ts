import type { CsvRecord } from '@wbs/server/businesses/import/rows/csv'
import { readCsvFile } from '@wbs/server/businesses/import/open-input'
import { CommandError } from '../../command-error.ts'

/** The headers of a CSV file and its other records. */
export interface Records {
  headers: readonly string[]
  rest: AsyncGenerator<CsvRecord, void, undefined>
}

/** A row of 100 columns can have a million characters, each of them a quote that is doubled. */
const longestRecord = 4_000_000

/** Opens a CSV file and reads its headers. Throws ImportError and CommandError. */
export async function openRecords(file: string): Promise<Records> {
  const rest = recordsOf(file)
  const first = await rest.next()
  if (first.done === true) throw new CommandError(`${file} is empty. Its first line must have the headers.`)
  if (first.value.damage)
    throw new CommandError(
      `The first line of ${file} cannot be read: its quotes are broken, or it is too long.`,
    )
  return { headers: first.value.fields, rest }
}

async function* recordsOf(file: string): AsyncGenerator<CsvRecord, void, undefined> {
  for await (const records of readCsvFile(file, { longest: longestRecord })) yield* records
}
