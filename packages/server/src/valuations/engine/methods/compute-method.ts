import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import type { CostOfCapitalNodes, EngineContext, MethodOutcome, Normalized } from '../engine.ts'
import { adjustedNetAssets } from './adjusted-net-assets.ts'
import { capitalizedCashFlow } from './capitalized-cash-flow.ts'
import { discountedCashFlow } from './discounted-cash-flow.ts'
import { excessEarnings } from './excess-earnings.ts'
import { guidelineTransactions } from './guideline-transactions.ts'
import { liquidation } from './liquidation.ts'
import { multipleMethod } from './multiples.ts'

/** Computes a method of a document. Throws InvalidDocument, Unvaluable and Uncomputable. */
export function computeMethod(
  context: EngineContext,
  parts: { normalized: Normalized; rates: CostOfCapitalNodes },
  method: ValuationMethod,
  at: string,
): MethodOutcome {
  switch (method.method) {
    case 'sde_multiple':
    case 'ebitda_multiple':
    case 'revenue_multiple':
      return multipleMethod(context, parts, method, at)
    case 'guideline_transactions':
      return guidelineTransactions(context, parts, method, at)
    case 'capitalized_cash_flow':
      return capitalizedCashFlow(context, parts, method, at)
    case 'discounted_cash_flow':
      return discountedCashFlow(context, parts, method, at)
    case 'adjusted_net_assets':
      return adjustedNetAssets(context, parts, method, at)
    case 'liquidation':
      return liquidation(context, parts, method, at)
    case 'excess_earnings':
    default:
      return excessEarnings(context, parts, method, at)
  }
}
