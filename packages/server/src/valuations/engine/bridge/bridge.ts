import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, moneyOf } from '../decimal.ts'
import type { EngineContext, MethodOutcome } from '../engine.ts'
import { methodLabels } from '../method-labels.ts'
import { appliedStep, skippedStep, type Step } from '../step.ts'

/** The figures of the bridge that a document gives, in the order in which they are applied. All methods share their nodes. */
export interface BridgeFigures {
  figures: readonly { code: Step['code']; sign: 1 | -1; node: CalculationNode; label: string }[]
}

/**
 * The figures between the value of all capital, free of cash and debt, and equity:
 * equity = invested capital + cash − interest-bearing debt + non-operating assets + (actual − normal working capital).
 * Only figures that the document gives have a node.
 * Source: Koller, T., Goedhart, M., Wessels, D., "Valuation", 7th ed., Wiley 2020, chapter 16 (from enterprise value to equity).
 */
export function bridgeFigures({ document, calc }: EngineContext): BridgeFigures {
  const given = document.inputs.bridge
  const figures: BridgeFigures['figures'][number][] = []
  if (!given) return { figures }
  const input = (name: string, label: string, value: string) =>
    calc.input(
      {
        id: `bridge.${name}`,
        label,
        unit: document.currency,
        source: 'Stated in the valuation.',
        as_of: document.valuation_date,
      },
      value,
    )
  const amounts = [
    ['cash', 'Cash', 1],
    ['interest_bearing_debt', 'Interest-bearing debt', -1],
    ['non_operating_assets', 'Non-operating assets', 1],
  ] as const
  for (const [code, label, sign] of amounts) {
    const value = given[code]
    if (value !== undefined) figures.push({ code, sign, label, node: input(code, label, value) })
  }
  if (given.working_capital) {
    const label = 'Working capital above the normal'
    const node = calc.subtract(
      { id: 'bridge.working_capital', label, unit: document.currency },
      input('working_capital.actual', 'Working capital at the valuation date', given.working_capital.actual),
      input('working_capital.normal', 'Working capital that operations need', given.working_capital.normal),
    )
    figures.push({ code: 'working_capital', sign: 1, label, node })
  }
  return { figures }
}

/**
 * Leads from what a method indicates to what is valued. The assets that are sold are those of the operations, as in a sale of
 * assets without cash and debt: their value is that of all capital.
 */
export function bridgeSteps(
  { document, calc }: EngineContext,
  { figures }: BridgeFigures,
  { method, indicates }: Pick<MethodOutcome, 'method' | 'indicates'>,
  indicated: CalculationNode,
): { value: CalculationNode; steps: Step[] } {
  const target = document.interest.kind === 'equity' ? 'equity' : 'invested_capital'
  if (indicates === target) {
    const reason = `The method indicates ${names[target]}, as the interest is.`
    return {
      value: indicated,
      steps: figures.map(({ code }) => skippedStep({ code, method, reason })),
    }
  }
  const direction = target === 'equity' ? 1 : -1
  const reason = `The method indicates ${names[indicates]}, and the interest is ${names[target]}.`
  let value = indicated
  const steps = figures.map(({ code, sign, node, label }): Step => {
    const isAdded = sign * direction === 1
    const described = {
      id: `${method}.after_${code}`,
      label: `${methodLabels[method]}: value ${isAdded ? 'with' : 'less'} ${label.toLowerCase()}`,
      unit: document.currency,
    }
    value = isAdded ? calc.add(described, value, node) : calc.subtract(described, value, node)
    const amount = isAdded ? node.value : new Decimal(0).minus(node.value)
    return appliedStep({
      code,
      method,
      reason,
      amount: moneyOf(amount, document.currency),
      source: 'Stated in the valuation.',
      as_of: document.valuation_date,
    })
  })
  return { value, steps }
}

const names = { equity: 'equity', invested_capital: 'all capital, free of cash and debt' }
