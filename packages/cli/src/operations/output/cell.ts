import { oneLine } from '../../one-line.ts'

/** A value of an answer in one line, with nothing that controls a terminal. Null is empty. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return oneLine(value)
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
  if (typeof value === 'object')
    return oneLine(nameOf(value as Record<string, unknown>) ?? JSON.stringify(value))
  return oneLine(JSON.stringify(value))
}

/** An amount of money, or what people call a thing. */
function nameOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const { amount, currency } = value
  if (typeof amount === 'string' && typeof currency === 'string') return `${amount} ${currency}`
  const found = ['name', 'title', 'label', 'email']
    .map(key => value[key])
    .find(value => typeof value === 'string')
  return found
}
