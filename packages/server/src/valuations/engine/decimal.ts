import { Decimal as Base } from 'decimal.js'

/**
 * Decimal arithmetic of the engine: 34 significant digits, rounded half to even, as IEEE 754 decimal128 has them. Numbers of
 * JavaScript would give other bytes for the same value, and cannot hold a cent of a large amount.
 */
export const Decimal = Base.clone({
  precision: 34,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = Base

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
