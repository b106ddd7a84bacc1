import type { RowReader } from './row.ts'

/** When a Business was founded: the day, or no more than the year. */
export interface Founding {
  day: string | null
  year: string | null
}

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A cell that holds a day. */
export function readDay(row: RowReader, column: 'founded_on' | 'closed_on'): string | null {
  const value = row.text(column, 30)
  if (value !== null && !isDay(value)) return row.refuse(column, 'bad_date')
  return value
}

/** The founding: from a year alone no day is made up. */
export function founding(row: RowReader): Founding {
  const value = row.text('founded_on', 30)
  if (value === null) return { day: null, year: null }
  if (/^\d{4}$/.test(value) && isYear(Number(value))) return { day: null, year: value }
  if (isDay(value)) return { day: value, year: value.slice(0, 4) }
  row.refuse('founded_on', 'bad_date', 'not a day that exists, as YYYY-MM-DD, nor a year, as YYYY')
  return { day: null, year: null }
}

/** Refuses a closing that the row itself contradicts. */
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

/** Whether a text is a day that exists, as YYYY-MM-DD. */
export function isDay(value: string): boolean {
  const parts = dayForm.exec(value)
  if (!parts) return false
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number)
  return isYear(year) && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month)
}

// Registers write 9999-12-31 for "never" and 0001-01-01 for "not known"; neither is a day something happened.
function isYear(year: number): boolean {
  return year >= 1000 && year <= 2199
}

function monthLength(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0)
}
