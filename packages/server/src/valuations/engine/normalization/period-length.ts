import type { NormalizedPeriod } from '../engine.ts'

/**
 * The number of a day, so that differences count days. `day`: YYYY-MM-DD in the Gregorian calendar. The year begins in March, so
 * that a leap day is its last. Source: Richards, E., "Mapping Time", Oxford University Press, 1998, chapter 24.
 */
function dayNumber(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const years = month > 2 ? year : year - 1
  const months = (month + 9) % 12
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return 365 * years + leapDays + Math.floor((153 * months + 2) / 5) + date
}

/** The number of days of a period, with its first and its last. */
export const daysOf = ({ start, end }: Pick<NormalizedPeriod, 'start' | 'end'>): number =>
  dayNumber(end) - dayNumber(start) + 1

/** A fiscal year of 52 or 53 weeks counts as a year. */
const isYear = (days: number): boolean => days >= 358 && days <= 374

/** Whether both periods are years, and the second begins the day after the first ends. Undefined periods are none. */
export const isYearBefore = (
  first: Pick<NormalizedPeriod, 'start' | 'end'> | undefined,
  second: Pick<NormalizedPeriod, 'start' | 'end'> | undefined,
): boolean =>
  first !== undefined &&
  second !== undefined &&
  isYear(daysOf(first)) &&
  isYear(daysOf(second)) &&
  dayNumber(second.start) === dayNumber(first.end) + 1

/**
 * What the use of statements assumes of the time between their end and the valuation date: that later figures could be known, or
 * that older ones still hold. Statements are old a year after their end.
 */
export function assumptionOfAge({ key, end }: NormalizedPeriod, valuation_date: string): string[] {
  if (end > valuation_date)
    return [
      `Period ${key} ends on ${end}, after the valuation date. Its figures were known or could be known then, as the document says.`,
    ]
  const days = dayNumber(valuation_date) - dayNumber(end)
  return days > 366
    ? [
        `Period ${key} ended ${days} days before the valuation date. Nothing since then changes what its figures say about the business.`,
      ]
    : []
}

/** What the use of a period assumes that is not a year: nothing is made larger or smaller. */
export function assumptionOfLength(period: NormalizedPeriod): string[] {
  const days = daysOf(period)
  return isYear(days)
    ? []
    : [
        `Period ${period.key} has ${days} ${days === 1 ? 'day' : 'days'}. Its figures are used as they are, not annualized.`,
      ]
}
