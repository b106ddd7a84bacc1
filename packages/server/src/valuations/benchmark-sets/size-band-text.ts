const thousands: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, mm: 1e6, b: 1e9 }

const amount = '\\$?\\s*([0-9][0-9,]*(?:\\.[0-9]+)?)\\s*(k|mm?|b)?'
const below = new RegExp(`^(?:<=?|under|up to)\\s*${amount}$`)
const above = new RegExp(`^(?:>=?|over)\\s*${amount}$|^${amount}\\s*[+-]$`)
const between = new RegExp(`^${amount}\\s*(?:-|–|to)\\s*${amount}$`)

/**
 * A band of prices in its one form, such as `500000-1000000`, or `50000000-` without an end; null for all sizes. It may be written
 * as surveys write it: `<$500K`, `$500K-$1M`, `$1-2M`, `$50M+`, `all`. Undefined if it is none of these.
 */
export function sizeBand(text: string): string | null | undefined {
  const given = text.trim().toLowerCase()
  if (given === 'all') return null
  const [, end, endUnit] = below.exec(given) ?? []
  if (end !== undefined) return bandOf(0, dollars(end, endUnit))
  const open = above.exec(given)
  if (open) return bandOf(dollars(open[1] ?? open[3] ?? '', open[2] ?? open[4]), null)
  const [, first, firstUnit, last, lastUnit] = between.exec(given) ?? []
  if (first === undefined || last === undefined) return undefined
  // In $1-2M the unit stands once, for both.
  return bandOf(dollars(first, firstUnit ?? lastUnit), dollars(last, lastUnit))
}

const dollars = (text: string, unit = ''): number =>
  Math.round(Number(text.replaceAll(',', '')) * (thousands[unit] ?? 1))

function bandOf(from: number, to: number | null): string | undefined {
  const isAmount = (price: number) => Number.isSafeInteger(price) && price < 1e15
  if (!isAmount(from) || (to !== null && (!isAmount(to) || to === 0))) return undefined
  return `${from}-${to ?? ''}`
}
