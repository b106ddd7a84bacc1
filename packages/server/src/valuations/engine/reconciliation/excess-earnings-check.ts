import { Decimal, amountText } from '../decimal.ts'
import type { Check, MethodOutcome } from '../engine.ts'
import type { CalculationNode } from '../calculation/node.ts'
import type { Reconciled } from './reconcile.ts'

/** A method that only checks the others, with its value after the bridge. */
export interface Checking {
  outcome: MethodOutcome
  bridged: CalculationNode
}

/** How far excess earnings may lie from the other methods, as a part of their value, before the result says so. */
const tolerated = '0.2'

/**
 * Whether excess earnings are far from the weighted value of the other methods. Both are compared after the bridge and before
 * discounts: Rev. Rul. 68-609 gives a value of the whole, and says nothing about levels of value.
 */
export function excessEarningsCheck(checking: readonly Checking[], { used }: Reconciled): Check[] {
  const weights = used.reduce((sum, { weight }) => sum.plus(weight), new Decimal(0))
  const computed = used
    .reduce((sum, { bridged, weight }) => sum.plus(bridged.value.times(weight)), new Decimal(0))
    .dividedBy(weights)
  return checking.flatMap(({ bridged: { value } }) => {
    const difference = value.minus(computed)
    if (difference.abs().lessThanOrEqualTo(computed.abs().times(tolerated))) return []
    return [
      {
        code: 'excess_earnings_differ' as const,
        period: null,
        reported: amountText(value),
        computed: amountText(computed),
        difference: amountText(difference),
      },
    ]
  })
}
