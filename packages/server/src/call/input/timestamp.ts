const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i

/** No valid timestamp is longer. */
const longest = 40
const minute = 60_000

/**
 * Parses an RFC 3339 date-time, to the millisecond. Null if it is not one, or is outside the years 1 to 9999 UTC, which
 * PostgreSQL and Date write in other forms. A leap second becomes the end of its minute.
 */
export function parseTimestamp(text: string): Date | null {
  const parts = text.length <= longest ? form.exec(text) : null
  if (!parts) return null
  const [, day = '', hour = '', minutes = '', second = '', fraction = '', sign, offsetHours, offsetMinutes] =
    parts
  const [ahead, rest] = [Number(offsetHours ?? 0), Number(offsetMinutes ?? 0)]
  if (!isDay(day) || hour > '23' || minutes > '59' || ahead > 23 || rest > 59) return null
  const isLeap = second === '60'
  if (second > '59' && !isLeap) return null
  const local = Date.parse(
    `${day}T${hour}:${minutes}:${isLeap ? '59' : second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
  )
  const utc = new Date(local - (sign === '-' ? -1 : 1) * (ahead * 60 + rest) * minute)
  if (isLeap && !/T23:59:/.test(utc.toISOString())) return null
  const moment = new Date(utc.getTime() + (isLeap ? 1000 : 0))
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : null
}

/** Whether a text is a calendar date, YYYY-MM-DD, from the year 1 on: PostgreSQL counts earlier years differently. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false
  const midnight = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}
