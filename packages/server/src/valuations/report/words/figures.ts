import type { MoneyValue } from '@wbs/contract/valuations/result'
import { Decimal, decimal } from '../../engine/decimal.ts'

/** The dash of a cell for which there is no figure. */
export const none = '–'

const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** A decimal number with thousands separators, and a true minus sign. */
function separated(text: string): string {
  const [whole = '', fraction] = text.replace('-', '').split('.')
  const sign = text.startsWith('-') ? '−' : ''
  return sign + grouped(whole) + (fraction === undefined ? '' : `.${fraction}`)
}

/** A number with a fixed number of decimal places. Zero has no sign. */
export function fixed(value: Decimal | string, places: number): string {
  const text = new Decimal(value).toFixed(places)
  return separated(/[1-9]/.test(text) ? text : text.replace('-', ''))
}

/** A number with at most so many decimal places, without zeros at its end. */
export function short(value: Decimal | string, places: number): string {
  const rounded = new Decimal(value).toDecimalPlaces(places)
  return rounded.isZero() ? '0' : separated(rounded.toFixed())
}

/** An amount without its currency, for a column that names it. */
export const amountIn = (money: MoneyValue | null | undefined): string =>
  money ? fixed(money.amount, 2) : none

/** An amount of the document, which may be left out. */
export const givenAmount = (amount: string | undefined): string =>
  amount === undefined ? none : fixed(amount, 2)

/** An amount with its currency. */
export const moneyText = ({ amount, currency }: MoneyValue): string => `${currency} ${fixed(amount, 2)}`

/** A rate or a share of one as a percentage. */
export const percentText = (ratio: string | null | undefined): string =>
  ratio === null || ratio === undefined ? none : `${fixed(decimal(ratio).times(100), 2)}%`

/** A percentage that is given as one, such as that of an interest. */
export const givenPercent = (percent: string): string => `${short(percent, 4)}%`

/** A multiple. */
export const multipleText = (multiple: string | null | undefined): string =>
  multiple === null || multiple === undefined ? none : `${short(multiple, 4)}×`

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** A day in words, which no reader takes for another: 30 June 2026. Other text stays as it is. */
export function dayText(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? []
  const name = months[Number(month) - 1]
  return name ? `${Number(day)} ${name} ${year}` : date
}

/** A moment in words, in UTC. */
export const momentText = (moment: string): string => `${dayText(moment)}, ${moment.slice(11, 16)} UTC`

/** A figure of the calculation in its unit, rounded for people. */
export function figureText(value: string, unit: string): string {
  if (/^[A-Z]{3}$/.test(unit)) return moneyText({ amount: value, currency: unit })
  if (unit === 'multiple') return multipleText(value)
  return unit === 'ratio' ? short(value, 6) : `${short(value, 6)} ${unit}`
}
