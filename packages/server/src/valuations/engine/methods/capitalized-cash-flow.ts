import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import type { EngineContext, MethodFunction, Normalized } from '../engine.ts'
import { basisOf } from '../normalization/basis.ts'
import { discountRate, flowsOfEquity } from './discount-rate.ts'
import { makeDriverByTenth } from './driver.ts'
import { incomeOutcome } from './income-outcome.ts'
import { perpetuity } from './perpetuity.ts'

type CapitalizedCashFlow = MethodOf<'capitalized_cash_flow'>

/**
 * Capitalized cash flow: V = NCF₁ ÷ (k − g), where NCF₁ is the cash flow of the year after the valuation date. A cash flow of
 * the year before (`base_year`) first grows by g. A cash flow that is not above 0 rejects the method. Amounts are in the currency
 * of the document, rates are fractions a year. Throws InvalidDocument if growth is not below the rate.
 * Source: Pratt, S., and Grabowski, R., "Cost of Capital: Applications and Examples", 5th edition, Wiley, 2014.
 *
 * By default it indicates a marketable control value: normalized cash flows are those that an owner with control can bring
 * about, and the rates come from securities that can be sold at any time.
 * Source: Pratt, S., "Business Valuation Discounts and Premiums", 2nd edition, Wiley, 2009.
 */
export const capitalizedCashFlow: MethodFunction<CapitalizedCashFlow> = (context, parts, method, at) => {
  const { calc, document } = context
  const discount = discountRate(context, parts.rates, method, at)
  const { rate } = discount
  const { growthFactor, capitalizationRate } = perpetuity(
    context,
    'capitalized_cash_flow',
    rate,
    method.growth,
    `${at}/growth`,
  )
  const outcome = incomeOutcome(method, discount)
  const found = cashFlowOf(context, parts.normalized, method, at)
  if ('reason' in found) return { ...outcome, reason_rejected: found.reason }
  const { node: cashFlow, period } = found
  const based = {
    ...outcome,
    basis: cashFlow,
    period,
    assumptions: [...outcome.assumptions, ...found.assumptions, ...ofEquity(method)],
  }
  if (cashFlow.value.lessThanOrEqualTo(0))
    return { ...based, reason_rejected: 'The cash flow is not above 0, so it cannot be capitalized.' }
  makeDriverByTenth(cashFlow)
  const unit = document.currency
  const nextYear =
    method.cash_flow_is === 'next_year'
      ? cashFlow
      : calc.multiply(
          { id: 'capitalized_cash_flow.next_year', label: 'Net cash flow of the next year', unit },
          cashFlow,
          growthFactor,
        )
  const indicated = calc.divide(
    { id: 'capitalized_cash_flow.value', label: 'Value by capitalized cash flow', unit },
    nextYear,
    capitalizationRate,
  )
  return { ...based, indicated }
}

/** What follows if a cash flow is discounted at a rate for equity: that of the statements is before interest. */
function ofEquity({ cash_flow, discount_rate }: CapitalizedCashFlow): string[] {
  if (typeof discount_rate !== 'object' || discount_rate.from !== 'cost_of_equity') return []
  return typeof cash_flow === 'object'
    ? ['The net cash flow is before interest and the rate is that of equity, as for a business without debt.']
    : [flowsOfEquity]
}

/** The cash flow that the method gives, or that of its period. */
function cashFlowOf(
  context: EngineContext,
  normalized: Normalized,
  method: CapitalizedCashFlow,
  at: string,
): { node: CalculationNode; period: string | null; assumptions: string[] } | { reason: string } {
  const { cash_flow } = method
  if (typeof cash_flow === 'object') return basisOf(context, normalized, method, 'net_cash_flow', at)
  const described = {
    id: 'capitalized_cash_flow.cash_flow',
    label: 'Net cash flow',
    unit: context.document.currency,
  }
  return { node: context.calc.input(described, cash_flow), period: null, assumptions: [] }
}
