import type { CostOfCapital } from '@wbs/contract/valuations/cost-of-capital'
import type { Static } from 'typebox'
import type { CalculationNode } from '../calculation/node.ts'
import { decimal } from '../decimal.ts'
import { InvalidDocument, type EngineContext } from '../engine.ts'
import { betaOf } from './beta.ts'
import { given } from './given.ts'

type Equity = NonNullable<Static<typeof CostOfCapital>['equity']>
type BuildUp = Extract<Equity, { model: 'build_up' }>
type MarketModel = Extract<Equity, { model: 'capm' | 'total_beta' }>

const described = { id: 'cost_of_capital.cost_of_equity', label: 'Cost of equity', unit: 'ratio' }

/** The cost of equity by the model that the document names; null if it names none. Throws InvalidDocument. */
export function costOfEquity(context: EngineContext): CalculationNode | null {
  const equity = context.document.inputs.cost_of_capital?.equity
  if (!equity) return null
  if (equity.model === 'build_up') return buildUp(context, equity)
  if (equity.model === 'stated') return stated(context, equity)
  return capm(context, equity)
}

/** A rate from elsewhere, with its source. */
const stated = (
  { calc }: EngineContext,
  { rate, source }: Extract<Equity, { model: 'stated' }>,
): CalculationNode => calc.input({ ...described, source: source ?? null }, rate)

/**
 * Build-up: risk-free rate + equity risk premium + size premium + industry premium + premium for the company.
 * Source: Ibbotson Associates, "Stocks, Bonds, Bills and Inflation: Valuation Edition", as described in Pratt, S., and
 * Grabowski, R., "Cost of Capital: Applications and Examples", 5th edition, Wiley, 2014.
 */
function buildUp(context: EngineContext, equity: BuildUp): CalculationNode {
  const { calc } = context
  return calc.add(
    described,
    given(calc, 'risk_free', 'Risk-free rate', equity.risk_free),
    given(calc, 'equity_risk_premium', 'Equity risk premium', equity.equity_risk_premium),
    ...premiums(context, equity),
  )
}

/**
 * Capital asset pricing model, with premiums that small and private companies need: risk-free rate + beta × equity risk premium
 * + size premium + premium for the company. `total_beta` replaces beta by beta ÷ correlation with the market, for an owner
 * whose whole wealth is in the company.
 * Sources: Sharpe, W., "Capital Asset Prices: A Theory of Market Equilibrium under Conditions of Risk", Journal of Finance
 * 19(3), 1964; for total beta: Damodaran, A., "Investment Valuation", 3rd edition, Wiley, 2012, chapter 24.
 */
function capm(context: EngineContext, equity: MarketModel): CalculationNode {
  const { calc } = context
  const beta = betaOf(context, equity.beta)
  const used = equity.model === 'total_beta' ? totalBeta(context, beta, equity.correlation) : beta
  const riskFree = given(calc, 'risk_free', 'Risk-free rate', equity.risk_free)
  const premium = given(calc, 'equity_risk_premium', 'Equity risk premium', equity.equity_risk_premium)
  const forMarketRisk = calc.multiply(
    {
      id: 'cost_of_capital.market_risk_premium',
      label: 'Premium for market risk',
      unit: 'ratio',
    },
    used,
    premium,
  )
  return calc.add(described, riskFree, forMarketRisk, ...premiums(context, equity))
}

function totalBeta(
  { calc }: EngineContext,
  beta: CalculationNode,
  correlation: string | undefined,
): CalculationNode {
  if (correlation === undefined || decimal(correlation).isZero())
    throw new InvalidDocument({
      pointer: '/inputs/cost_of_capital/equity/correlation',
      code: correlation === undefined ? 'requires' : 'out_of_range',
      detail: 'The model total_beta needs the correlation with the market, above 0 and at most 1.',
    })
  return calc.divide(
    { id: 'cost_of_capital.total_beta', label: 'Total beta', unit: 'ratio' },
    beta,
    given(calc, 'correlation', 'Correlation with the market', correlation),
  )
}

const premiumLabels = {
  size_premium: 'Size premium',
  industry_premium: 'Industry premium',
  company_specific: 'Premium for risks of this company',
} as const

/** The premiums that are given and not 0. */
function premiums({ calc }: EngineContext, equity: BuildUp | MarketModel): CalculationNode[] {
  const amounts: Partial<Record<keyof typeof premiumLabels, string>> = equity
  return Object.entries(premiumLabels).flatMap(([name, label]) => {
    const premium = amounts[name as keyof typeof premiumLabels]
    return premium === undefined || decimal(premium).isZero() ? [] : [given(calc, name, label, premium)]
  })
}
