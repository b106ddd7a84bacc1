import type { MethodName } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import type { EngineContext, MethodOutcome } from '../engine.ts'
import type { Basis } from '../normalization/basis.ts'

/**
 * The level of value of multiples of private deals: whole companies were sold, so control; and none was listed, so not
 * marketable. Source: Pratt, S., "The Market Approach to Valuing Businesses", 2nd ed., 2005.
 */
const levelOfPrivateDeals = 'control_nonmarketable'

/** What the prices are of from which multiples come. The bridge adds only working capital above the normal. */
const ofPrices =
  'The prices behind the multiples are without cash and debt, and include the working capital that operations need, such as inventory.'

/** What all methods of the market approach have in common. A price of a deal is that of the operations, free of cash and debt. */
export function marketOutcome(
  method: { method: MethodName; base_level?: MethodOutcome['base_level'] },
  basis_metric: NonNullable<MethodOutcome['basis_metric']>,
): MethodOutcome {
  return {
    method: method.method,
    approach: 'market',
    basis_metric,
    basis: null,
    period: null,
    multiple: null,
    rate: null,
    base_level: method.base_level ?? levelOfPrivateDeals,
    indicates: 'invested_capital',
    indicated: null,
    reason_rejected: null,
    is_check: false,
    checks: [],
    sources: [],
    assumptions: [ofPrices],
  }
}

/** The name of each metric in a label. */
export const metricLabels = { sde: 'SDE', ebitda: 'EBITDA', revenue: 'Revenue' } as const

/**
 * Why a multiple of the basis says nothing: a multiple of a loss would be a negative price, so the method is not used; it is
 * not set to 0 either, because other methods say what such a business is worth. Null if the basis is above 0.
 */
export const reasonAgainst = ({ node }: Basis): string | null =>
  node.value.greaterThan(0)
    ? null
    : `The figure ${node.label} is not above 0, so a multiple of it gives no value.`

/** The outcome with the value: basis × multiple. */
export function valuedBy(
  { calc, document }: EngineContext,
  outcome: MethodOutcome,
  { node, period, assumptions }: Basis,
  multiple: CalculationNode,
): MethodOutcome {
  const indicated = calc.multiply(
    {
      id: `${outcome.method}.indicated`,
      label:
        outcome.method === 'guideline_transactions'
          ? 'Value by guideline transactions'
          : `Value by ${multiple.label}`,
      unit: document.currency,
    },
    node,
    multiple,
  )
  return {
    ...outcome,
    basis: node,
    period,
    multiple,
    indicated,
    assumptions: [...assumptions, ...outcome.assumptions],
  }
}
