const form = /^P(?=\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/
const daysInYear = 365.25
const firstDay = '0001-01-01'

/** The longest duration that a rule may look back. */
export const mostYears = 1000

/** A duration in the units of PostgreSQL's interval: calendar months and days. */
interface Duration {
  months: number
  days: number
}

/** Parses an ISO 8601 duration of years, months, weeks and days. Null if it is not one. */
export function parseDuration(text: string): Duration | null {
  const parts = form.exec(text)
  if (!parts) return null
  const [years = 0, months = 0, weeks = 0, days = 0] = parts.slice(1).map(part => Number(part ?? 0))
  return { months: years * 12 + months, days: weeks * 7 + days }
}

/** Whether a duration is at most 1000 years in all, with a year of 365.25 days. */
export const isShortEnough = ({ months, days }: Duration): boolean =>
  months / 12 + days / daysInYear <= mostYears

/**
 * The day that a duration before `today` begins with, as PostgreSQL computes `date - interval`: months first, at most to the
 * end of the month, then days. Days before the year 1 become its first day.
 */
export function firstDayWithin(duration: string, today: string): string {
  const parsed = parseDuration(duration)
  if (!parsed) throw new Error('The rule was saved with a duration that cannot be parsed.')
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const monthIndex = year * 12 + (month - 1) - parsed.months
  const [toYear, toMonth] = [Math.floor(monthIndex / 12), monthIndex - Math.floor(monthIndex / 12) * 12]
  const from = utc(toYear, toMonth, Math.min(day, monthLength(toYear, toMonth)) - parsed.days)
  return from.getUTCFullYear() < 1 ? firstDay : from.toISOString().slice(0, 10)
}

/** The number of days of a month that is counted from 0: day 0 of the next month is its last. */
const monthLength = (year: number, month: number) => utc(year, month + 1, 0).getUTCDate()

// Date.UTC would take the years 0 to 99 for 1900 to 1999.
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}
