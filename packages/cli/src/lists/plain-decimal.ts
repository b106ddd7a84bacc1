import { isExact } from '@wbs/contract/json/exact-numbers'

/** A number in decimal digits, without an exponent. Reading it gives the same number. */
export function plainDecimal(value: number): string {
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value))
  if (!parts) return String(value)
  const [, sign = '', first = '', rest = '', exponent] = parts
  const digits = first + rest
  const point = Number(exponent) + 1
  // An exponent is written from 21 on, and no number has more than 17 digits, so nothing follows the point.
  return point > 0 ? sign + digits.padEnd(point, '0') : `${sign}0.${'0'.repeat(-point)}${digits}`
}

/** The number that a plain decimal means; null if the text is another one. `exact` is false if digits would be lost. */
export function readDecimal(text: string): { value: number; exact: boolean } | null {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return null
  return { value: Number(text), exact: isExact(text) }
}
