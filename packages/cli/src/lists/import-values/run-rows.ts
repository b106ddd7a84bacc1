import type { CsvRecord } from '@wbs/server/businesses/import/rows/csv'
import type { ListTarget } from '../list-target.ts'
import { Batch } from './batches.ts'
import type { Records } from './open-records.ts'
import { planRow, type RowRules } from './plan-row.ts'
import type { Rejects } from './rejects.ts'
import { countChanges, type Tally } from './tally.ts'
import { ValueWriter } from './write-values.ts'

interface Course {
  rejects: Rejects
  dryRun: boolean
  tally: Tally
  report: () => void
}

/** Imports all rows in their order, in requests of up to 500 values. In a dry run it only counts them. */
export async function runRows(
  target: ListTarget,
  { rest }: Records,
  rules: RowRules,
  { rejects, dryRun, tally, report }: Course,
): Promise<void> {
  const reject = async (record: CsvRecord, reason: string) => {
    tally.rejected++
    await rejects.add(record, reason)
  }
  const writer = new ValueWriter(target, tally, ({ record }, reason) => reject(record, reason))
  const write = ({ rows }: Batch) => (dryRun ? countChanges(tally, rows) : writer.write(rows))
  const lines = new Map<string, number>()
  let batch = new Batch()
  for await (const record of rest) {
    target.signal.throwIfAborted()
    if (isBlank(record)) continue
    tally.rows++
    const row = planRow(record, rules, lines)
    if ('rejected' in row) await reject(record, row.rejected)
    else {
      tally.unchanged += row.unchanged
      if (!batch.fits(row)) {
        await write(batch)
        batch = new Batch()
      }
      if (row.changes.length > 0) batch.add(row)
    }
    report()
  }
  await write(batch)
}

/** Spreadsheets write rows of commas alone. */
const isBlank = ({ fields, damage }: CsvRecord): boolean =>
  !damage && fields.every(cell => cell.trim() === '')
