import { Decimal as Base } from 'decimal.js'

const digits = 34

/**
 * Decimal arithmetic of the engine: 34 significant digits, rounded half to even, as IEEE 754 decimal128 has them. Numbers of
 * JavaScript would give other bytes for the same value, and cannot hold a cent of a large amount.
 */
export const Decimal = Base.clone({
  precision: digits,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = Base

/** With more digits than a result has, for what is rounded once more. */
const Wide = Decimal.clone({ precision: 50 })

const half = new Decimal('0.5')

/**
 * A power. Exponents such as 2.5, as a mid-year convention has them, go by multiplication and the square root, which take a fifth
 * of the time of logarithms and give the same digits.
 */
export function power(base: Decimal, exponent: Decimal): Decimal {
  const whole = exponent.minus(half)
  if (!whole.isInteger() || whole.abs().greaterThan(1000)) return base.pow(exponent)
  const wide = new Wide(base)
  return new Decimal(wide.pow(whole).times(wide.sqrt())).toSignificantDigits(digits)
}

export const decimal = (text: string): Decimal => new Decimal(text)

/** A decimal string without an exponent and without zeros at its end. */
export const exactText = (value: Decimal): string => (value.isZero() ? '0' : value.toFixed())

/** A ratio in a result: at most 12 decimal places. */
export const ratioText = (value: Decimal): string => exactText(value.toDecimalPlaces(12))

/** An amount in a result: exactly 2 decimal places. */
export const amountText = (value: Decimal): string => {
  const text = value.toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

/** An amount of a result with its currency. */
export const moneyOf = (value: Decimal, currency: string) => ({ amount: amountText(value), currency })
