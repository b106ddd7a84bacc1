import { isDay, isYear } from '../../fact-formats.ts'
import type { RowReader } from './row.ts'

/** When a Business was founded: the day, or only the year. */
export interface Founding {
  day: string | null
  year: string | null
}

/** A cell with a day. */
export function readDay(row: RowReader, column: 'founded_on' | 'closed_on'): string | null {
  const value = row.text(column, 30)
  if (value !== null && !isDay(value)) return row.refuse(column, 'bad_date')
  return value
}

/** When the Business was founded. A year alone does not become a day. */
export function founding(row: RowReader): Founding {
  const value = row.text('founded_on', 30)
  if (value === null) return { day: null, year: null }
  if (/^\d{4}$/.test(value) && isYear(Number(value))) return { day: null, year: value }
  if (isDay(value)) return { day: value, year: value.slice(0, 4) }
  row.refuse('founded_on', 'bad_date', 'not a day that exists, as YYYY-MM-DD, nor a year, as YYYY')
  return { day: null, year: null }
}

/** Rejects a day of closing that contradicts other cells of the row. */
export function checkClosing(
  row: RowReader,
  status: string | null,
  founded: Founding,
  closed_on: string | null,
): void {
  if (closed_on === null) return
  if (status !== 'closed')
    row.refuse('closed_on', 'date_conflict', 'closed_on is given, but status is not closed')
  const earliest = founded.day ?? founded.year
  if (earliest !== null && closed_on.slice(0, earliest.length) < earliest)
    row.refuse('closed_on', 'date_conflict', 'closed_on lies before founded_on')
}
