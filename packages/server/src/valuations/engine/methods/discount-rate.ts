import type { MethodName } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import {
  InvalidDocument,
  type CostOfCapitalNodes,
  type EngineContext,
  type Indicates,
  type MethodOutcome,
} from '../engine.ts'
import { methodLabels } from '../method-labels.ts'
import { makeDriver } from './driver.ts'

interface RateOfMethod {
  method: MethodName
  discount_rate: string | { from: 'cost_of_equity' | 'wacc' }
}

/** The rate of a method, and what it makes of the method's value. */
export interface DiscountRate {
  rate: CalculationNode
  indicates: Indicates
  assumptions: string[]
  sources: MethodOutcome['sources']
}

/** What cash flows that the document gives are, if their rate is that of equity. */
export const flowsOfEquity =
  'The given cash flows are those of equity: after interest, and after debt that is taken up and paid back.'

/** How far a rate may plausibly lie below and above: one percentage point. */
const ratePoint = new Decimal('0.01')

/**
 * The annual rate at which a method discounts. The cost of equity gives a value of equity, the weighted average a value of all
 * capital; a rate that is given as a number counts as that of all capital. Throws InvalidDocument if the rate does not follow
 * from the document, or is not above 0.
 */
export function discountRate(
  { calc, document }: EngineContext,
  rates: CostOfCapitalNodes,
  { method, discount_rate }: RateOfMethod,
  at: string,
): DiscountRate {
  const pointer = `${at}/discount_rate`
  const rate =
    typeof discount_rate === 'string'
      ? calc.input({ id: `${method}.discount_rate`, label: 'Discount rate', unit: 'ratio' }, discount_rate)
      : rates[discount_rate.from]
  if (!rate)
    throw new InvalidDocument({
      pointer,
      code: 'requires',
      detail:
        typeof discount_rate === 'object' && discount_rate.from === 'wacc'
          ? 'The rate wacc needs equity, debt and weights in inputs.cost_of_capital.'
          : 'The rate cost_of_equity needs equity in inputs.cost_of_capital.',
    })
  if (rate.value.lessThanOrEqualTo(0))
    throw new InvalidDocument({
      pointer,
      code: 'out_of_range',
      detail: 'The discount rate must be above 0.',
    })
  makeDriver(rate, Decimal.max(rate.value.minus(ratePoint), 0), rate.value.plus(ratePoint))
  return {
    rate,
    indicates:
      typeof discount_rate === 'object' && discount_rate.from === 'cost_of_equity'
        ? 'equity'
        : 'invested_capital',
    assumptions: [
      'Cash flows are after income taxes. Cash flows, growth and rates are nominal: they include inflation.',
      ...(typeof discount_rate === 'string'
        ? [
            `The discount rate of the method ${methodLabels[method]} is that of all capital, so its value is that of all capital too.`,
          ]
        : twiceCounted(document)),
    ],
    sources: sourcesOf(rate),
  }
}

/** Total beta stands for all risks of the company, so a premium for them counts them again. */
function twiceCounted({ inputs }: EngineContext['document']): string[] {
  const equity = inputs.cost_of_capital?.equity
  return equity?.model === 'total_beta' && !new Decimal(equity.company_specific ?? 0).isZero()
    ? [
        'Total beta contains the risks of this company already. The premium for risks of this company is taken to be for risks that it does not contain.',
      ]
    : []
}

/** The sources of a rate and of the figures from which it follows. */
const sourcesOf = ({ label, source, as_of, inputs }: CalculationNode): MethodOutcome['sources'] => [
  ...(source ? [{ figure: label, source, as_of: as_of ?? null }] : []),
  ...inputs.flatMap(sourcesOf),
]
