import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import type { CsvRecord } from '@wbs/server/businesses/import/rows/csv'
import { csvLine } from '@wbs/server/businesses/import/rows/csv-line'
import { CommandError } from '../../command-error.ts'
import { reasonOf } from '../../reason-of.ts'
import { rejectHeaders } from '../columns.ts'
import { repeatedCells, type Layout } from './layout.ts'

/** Where rejected rows go. */
export interface Rejects {
  add(record: CsvRecord, reason: string): Promise<void>
  /** Closes the file, and removes it if no row was rejected. */
  close(): Promise<void>
}

/** For a dry run that names no file. */
export const noRejects: Rejects = { add: async () => undefined, close: async () => undefined }

/**
 * A file of the rejected rows as they were, with the line and the reason after them. It can be corrected and imported.
 * Throws CommandError if it cannot be written, or is the file that is imported.
 */
export async function openRejects(path: string, layout: Layout, input: string): Promise<Rejects> {
  const file = await openOther(path, input).catch((error: unknown) => {
    throw new CommandError(`The file for rejected rows cannot be written: ${reasonOf(error)}.`)
  })
  const positions = repeatedCells(layout)
  let count = 0
  const write = (cells: readonly (string | undefined)[], line: string, reason: string) =>
    file.appendFile(`${csvLine([...positions.map(at => cells[at] ?? ''), line, reason])}\r\n`)
  await write(layout.headers, ...rejectHeaders)
  return {
    async add({ line, fields, damage, raw }, reason) {
      count++
      await write(damage ? inFirst(positions, raw) : fields, String(line), reason)
    },
    async close() {
      await file.close()
      if (count === 0 && (await stat(path)).isFile()) await rm(path)
    },
  }
}

/** The text of a damaged row has no cells, so it goes into the first one. */
const inFirst = ([first = 0]: readonly number[], raw: string): string[] => {
  const cells: string[] = []
  cells[first] = raw
  return cells
}

async function openOther(path: string, input: string): Promise<FileHandle> {
  const [there, imported] = await Promise.all([path, input].map(file => stat(file).catch(() => undefined)))
  if (there && imported && there.dev === imported.dev && there.ino === imported.ino)
    throw new Error(`${path} is the file that is imported`)
  return open(path, 'w')
}
