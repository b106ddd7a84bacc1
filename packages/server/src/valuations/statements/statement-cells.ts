import type { statementScales } from '@wbs/contract/valuations/statements'
import { Decimal, exactText } from '../engine/decimal.ts'

export type Scale = (typeof statementScales)[number]

const unitsIn: Readonly<Record<Scale, number>> = { units: 1, thousands: 1000, millions: 1_000_000 }

/** What is wrong with a cell. */
export interface CellFault {
  code: 'format' | 'out_of_range'
  /** What the cell must be, to be put behind its name: "must be …". */
  detail: string
}

/** A decimal string; null for an empty cell. */
export type ReadCell = { value: string | null } | { fault: CellFault }

const longestAmount = 60

// Sign of a currency, minus or parenthesis, digits with or without commas, percent sign, and what closes.
const amountForm =
  /^(\p{Sc})?\s*([(-])?\s*(\p{Sc})?\s*(\d+|\d{1,3}(?:,\d{3})+)?(\.\d+)?\s*(\p{Sc})?\s*(%)?\s*([)-])?$/u

// How JavaScript writes a number that is very large or close to zero, which the text of a workbook may have.
const exponentForm = /^(-?)(\d(?:\.\d+)?)e([+-]\d{1,3})$/

const mustBeAmount: CellFault = {
  code: 'format',
  detail:
    'must be an amount such as 1234.50, 1,234.50, $1,234, -1,234 or (1,234). An empty cell gives no figure.',
}

const mustBeRate: CellFault = {
  code: 'format',
  detail: 'must be a rate from 0 to 1, such as 0.21, or a percentage such as 21%.',
}

interface Figure {
  value: Decimal
  is_percent: boolean
}

/** Reads a figure; null for an empty cell, undefined for anything else. A dash alone is zero, as accountants write it. */
function figureOf(cell: string): Figure | null | undefined {
  const text = cell.trim().replaceAll(/[\u2212\u2013\u2014]/g, '-')
  if (text === '') return null
  if (text.length > longestAmount) return undefined
  if (text === '-') return { value: new Decimal(0), is_percent: false }
  const exponent = exponentForm.exec(text)
  if (exponent) return { value: new Decimal(text), is_percent: false }
  const [form, before, open, inside, whole = '', fraction = '', behind, percent, close] =
    amountForm.exec(text) ?? []
  if (form === undefined || whole + fraction === '') return undefined
  if ([before, inside, behind].filter(sign => sign !== undefined).length > 1) return undefined
  if ((open === '(') !== (close === ')') || (open === '-' && close === '-')) return undefined
  const size = new Decimal(`${whole.replaceAll(',', '') || '0'}${fraction}`)
  const isNegative = open !== undefined || close !== undefined
  return { value: isNegative ? size.negated() : size, is_percent: percent !== undefined }
}

/**
 * Reads an amount as a decimal string in units. Of a fraction with more than four digits, 15 significant digits count, which is what
 * spreadsheets show, and 12 decimal places: the binary numbers of a workbook have more, such as 1234.5600000000001.
 */
export function readAmount(cell: string, scale: Scale): ReadCell {
  const figure = figureOf(cell)
  if (figure === null) return { value: null }
  if (figure === undefined || figure.is_percent) return { fault: mustBeAmount }
  const { value } = figure
  const shown =
    value.decimalPlaces() > 4 ? value.toSignificantDigits(Math.max(15, digitsBefore(value))) : value
  const amount = shown.times(unitsIn[scale]).toDecimalPlaces(12)
  if (digitsBefore(amount) > 18)
    return { fault: { code: 'out_of_range', detail: 'must have at most 18 digits before the point.' } }
  return { value: exactText(amount) }
}

const digitsBefore = (value: Decimal): number => value.abs().trunc().toFixed().length

/** Reads a rate as a fraction: 0.21, or 21%. */
export function readRate(cell: string): ReadCell {
  const figure = figureOf(cell)
  if (figure === null) return { value: null }
  if (figure === undefined) return { fault: mustBeRate }
  const rate = (figure.is_percent ? figure.value.dividedBy(100) : figure.value).toDecimalPlaces(12)
  if (rate.isNegative() || rate.greaterThan(1)) return { fault: { ...mustBeRate, code: 'out_of_range' } }
  return { value: exactText(rate) }
}

/** Turns the sign of a decimal string. */
export const turned = (value: string): string => exactText(new Decimal(value).negated())

/** Whether a text says that amounts are in thousands or millions. */
export const namesScale = (text: string): boolean =>
  /\b(?:thousands|millions)\b|\bin (?:(?:[a-z]{2})?\p{Sc} ?|[a-z]{3} )(?:000|k|m|mm|mn)\b|(?:^|[^\d.,])000['’]?s\b|['’]000\b|\((?:\p{Sc}|[a-z]{3} ?)?(?:000|k|m|mm|mn)\)/iu.test(
    text.slice(0, 400),
  )
