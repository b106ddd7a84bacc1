import { Decimal } from '../decimal.ts'
import type { DocumentFault } from '../engine.ts'

/** A fault in a list, or nothing if the document is right: `...faultIf(end < start, …)`. */
export const faultIf = (
  wrong: boolean,
  pointer: string,
  code: DocumentFault['code'],
  detail: string,
): DocumentFault[] => (wrong ? [{ pointer, code, detail }] : [])

/** The sum of decimal strings. */
export const sumOf = (amounts: readonly string[]): Decimal =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0))

export const isAbove = (amount: string | undefined, bound: string): boolean =>
  amount !== undefined && new Decimal(amount).greaterThan(bound)

export const isAboveZero = (amount: string): boolean => isAbove(amount, '0')

/** A fault for each item whose name an earlier item has. */
export function repeated<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string | null,
  pointerOf: (index: number) => string,
  detail: string,
): DocumentFault[] {
  const seen = new Set<string>()
  return items.flatMap((item, index) => {
    const name = nameOf(item)
    if (name === null) return []
    const again = seen.has(name)
    seen.add(name)
    return faultIf(again, pointerOf(index), 'conflict', detail)
  })
}

/** A fault for a figure that was not known on the valuation date. */
export const datedLater = (
  day: string | undefined,
  valuation_date: string,
  pointer: string,
): DocumentFault[] =>
  faultIf(
    day !== undefined && day > valuation_date,
    pointer,
    'out_of_range',
    'The figure must be dated on or before the valuation date.',
  )

/** A fault for a rate of tax above 1. */
export const taxRateFault = (rate: string | undefined, pointer: string): DocumentFault[] =>
  faultIf(isAbove(rate, '1'), pointer, 'out_of_range', 'A rate of tax must be at most 1: 0.21 is 21 percent.')
