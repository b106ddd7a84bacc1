/**
 * The moment that a date-time names, in milliseconds; null where there is none such. A leap second is taken as the end of
 * its minute, which is all that a clock without leap seconds knows of it.
 */
export function instantOf(text: string): number | null {
  const plain = text.toUpperCase().replace(/^(.{10})[^T]/, '$1T')
  const isLeap = /^.{17}60/.test(plain)
  const instant = Date.parse(isLeap ? `${plain.slice(0, 17)}59${plain.slice(19)}` : plain)
  return Number.isNaN(instant) ? null : instant + (isLeap ? 1000 : 0)
}
