import { isDeepStrictEqual } from 'node:util'
import type { InputError } from '@wbs/contract/problems'
import { decimal } from '../../engine/decimal.ts'

/** How many portfolios may hold each other in a chain. */
export const mostLevels = 10

/**
 * How many holdings a portfolio may have with those of the portfolios that it holds, each as often as it is held. The engine
 * values them inside the request, so no other request runs meanwhile.
 */
export const mostHoldingsInTree = 1000

/** How many holdings a portfolio may have itself. */
export const mostHoldings = 500

/** What describes a holding. */
export interface DescribedHolding {
  subject: { type: 'business' | 'asset' | 'portfolio'; id: string | null }
  /** From 0 to 100. */
  ownership_percent: string
  valuation_id: string | null
  discount: { rate: string; reason: string } | null
}

/** A holding as it is given. */
export interface GivenHolding {
  subject: { type: DescribedHolding['subject']['type']; id?: string | null }
  ownership_percent: string
  valuation_id?: string | null | undefined
  discount?: DescribedHolding['discount'] | undefined
}

/** A holding in its one form: what was left out is null. */
export const describedHolding = ({
  subject,
  ownership_percent,
  valuation_id,
  discount,
}: GivenHolding): DescribedHolding => ({
  subject: { type: subject.type, id: subject.id ?? null },
  ownership_percent,
  valuation_id: valuation_id ?? null,
  discount: discount ? { rate: discount.rate, reason: discount.reason } : null,
})

/** Whether two holdings say the same. */
export const isSameHolding = (first: DescribedHolding, other: DescribedHolding): boolean =>
  isDeepStrictEqual(describedHolding(first), describedHolding(other))

const prefixes = { business: 'biz_', asset: 'ast_', portfolio: 'pfl_' } as const

/** What is wrong in a holding beyond its form. */
export function holdingErrors({ subject, valuation_id, discount }: DescribedHolding): InputError[] {
  const errors: InputError[] = []
  const add = (pointer: string, code: InputError['code'], detail: string) =>
    errors.push({ in: 'body', pointer, code, detail })
  if (subject.id !== null && !subject.id.startsWith(prefixes[subject.type]))
    add('/subject/id', 'conflict', `The ID is not one of a subject of the type ${subject.type}.`)
  if (subject.id === null && subject.type === 'portfolio')
    add('/subject/id', 'requires', 'A portfolio that is held must be named by its ID.')
  else if (subject.id === null && valuation_id === null)
    add('/valuation_id', 'requires', 'A subject without an ID needs a valuation_id.')
  if (discount && decimal(discount.rate).greaterThan(1))
    add('/discount/rate', 'out_of_range', 'A discount must be at most 1, which is 100 percent.')
  return errors
}
