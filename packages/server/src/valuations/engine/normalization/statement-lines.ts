import type { IncomeLine, ValuationInputs } from '@wbs/contract/valuations/inputs'
import type { CalculationNode, Origin } from '../calculation/node.ts'
import type { EngineContext } from '../engine.ts'

export type Period = NonNullable<ValuationInputs['periods']>[number]
export type Adjustment = NonNullable<ValuationInputs['adjustments']>[number]
type IncomeFigure = IncomeLine | 'ebit' | 'tax_rate' | 'capital_expenditure' | 'change_in_working_capital'

const basisNames: Record<Period['basis'], string> = {
  tax_return: 'tax return',
  audited: 'audited statements',
  reviewed: 'reviewed statements',
  compiled: 'compiled statements',
  internal: 'internal statements',
}

/** `operating_expenses` as people write it: `Operating expenses`. */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where the figures of a period come from. */
export const originOf = (period: Period): Origin => ({
  source: `Period ${period.key}, ${basisNames[period.basis]}`,
  as_of: period.end,
  evidence_id: period.evidence_id ?? null,
})

/** The figures of one period as nodes. Each is created when it is first asked for. Null: the statement does not have it. */
export interface StatementLines {
  figure(name: IncomeFigure): CalculationNode | null
  /** The figures that are there, without those that are not. */
  present(...names: readonly IncomeFigure[]): CalculationNode[]
}

/** `idOf`: the id of a figure in the calculation, within its period. */
export function statementLines(
  { calc, document }: EngineContext,
  period: Period,
  idOf: (name: IncomeFigure) => string = name => `income.${name}`,
): StatementLines {
  const nodes = new Map<IncomeFigure, CalculationNode>()
  function figure(name: IncomeFigure): CalculationNode | null {
    const given = period.income?.[name]
    if (given === undefined) return null
    const known = nodes.get(name)
    if (known) return known
    const node = calc.input(
      {
        id: `period.${period.key}.${idOf(name)}`,
        label: `${labelOf(name)} of ${period.key}`,
        unit: name === 'tax_rate' ? 'ratio' : document.currency,
        ...originOf(period),
      },
      given,
    )
    nodes.set(name, node)
    return node
  }
  return {
    figure,
    present: (...names) => names.map(figure).filter(node => node !== null),
  }
}
