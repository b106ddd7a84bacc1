import type { CalculationNode } from '../calculation/node.ts'
import { decimal } from '../decimal.ts'
import type { CostOfCapitalNodes, EngineContext } from '../engine.ts'
import { costOfEquity } from './cost-of-equity.ts'
import { afterTax, given } from './given.ts'

/**
 * The rates that follow from `inputs.cost_of_capital`, as fractions a year: null where the document does not give enough. A
 * method that needs a rate that is null refuses the document. Throws InvalidDocument if a model lacks a figure.
 */
export function costOfCapital(context: EngineContext): CostOfCapitalNodes {
  const cost_of_equity = costOfEquity(context)
  const cost_of_debt = costOfDebt(context)
  return { cost_of_equity, cost_of_debt, wacc: wacc(context, cost_of_equity, cost_of_debt) }
}

/**
 * The cost of debt after taxes: pre-tax rate × (1 − tax rate), because interest reduces taxable income.
 * Source: Modigliani, F., and Miller, M., "Corporate Income Taxes and the Cost of Capital: A Correction", American Economic
 * Review 53(3), 1963.
 */
function costOfDebt({ calc, document }: EngineContext): CalculationNode | null {
  const debt = document.inputs.cost_of_capital?.debt
  const described = { id: 'cost_of_capital.cost_of_debt', label: 'Cost of debt after taxes', unit: 'ratio' }
  if (debt?.after_tax !== undefined) return calc.input(described, debt.after_tax)
  if (debt?.pre_tax === undefined || debt.tax_rate === undefined) return null
  const preTax = given(calc, 'cost_of_debt.pre_tax', 'Cost of debt before taxes', debt.pre_tax)
  const pointer = '/inputs/cost_of_capital/debt/tax_rate'
  const { kept } = afterTax(calc, 'cost_of_debt', debt.tax_rate, pointer)
  return calc.multiply(described, preTax, kept)
}

/**
 * The weighted average cost of capital: weight of equity × cost of equity + weight of debt × cost of debt after taxes. Without
 * debt in the capital it needs no cost of debt.
 * Source: Pratt, S., and Grabowski, R., "Cost of Capital: Applications and Examples", 5th edition, Wiley, 2014.
 */
function wacc(
  { calc, document }: EngineContext,
  costOfEquity: CalculationNode | null,
  costOfDebt: CalculationNode | null,
): CalculationNode | null {
  const weights = document.inputs.cost_of_capital?.weights
  if (!weights || !costOfEquity) return null
  const hasDebt = !decimal(weights.debt).isZero()
  if (hasDebt && !costOfDebt) return null
  const weighted = (kind: 'equity' | 'debt', rate: CalculationNode) =>
    calc.multiply(
      { id: `cost_of_capital.weighted_${kind}`, label: `Weighted cost of ${kind}`, unit: 'ratio' },
      given(calc, `weight_of_${kind}`, `Weight of ${kind}`, weights[kind]),
      rate,
    )
  const terms = [weighted('equity', costOfEquity)]
  if (hasDebt && costOfDebt) terms.push(weighted('debt', costOfDebt))
  return calc.add(
    { id: 'cost_of_capital.wacc', label: 'Weighted average cost of capital', unit: 'ratio' },
    ...terms,
  )
}
