import type { CalculationNode } from '../calculation/node.ts'
import type { EngineContext } from '../engine.ts'

/** The assets or liabilities of a method, as figures of the calculation: `liquidation.asset.3` is the third asset. */
export const itemNodes = (
  { calc, document }: EngineContext,
  id: `${string}.${'asset' | 'liability'}`,
  items: readonly { name: string; amount: string }[],
): CalculationNode[] =>
  items.map(({ name, amount }, at) =>
    calc.input({ id: `${id}.${at + 1}`, label: name, unit: document.currency }, amount),
  )

/** The sum of many items. Its formula does not repeat their names. */
export const sumOf = (
  { calc, document }: EngineContext,
  total: { id: string; label: string },
  nodes: readonly CalculationNode[],
): CalculationNode => calc.add({ ...total, unit: document.currency, formula: 'sum of all items' }, ...nodes)

/** What is owed, as what a method subtracts: nothing, or the sum of all liabilities. */
export const liabilitiesOf = (
  context: EngineContext,
  method: 'adjusted_net_assets' | 'liquidation',
  liabilities: readonly { name: string; amount: string }[] = [],
): CalculationNode[] =>
  liabilities.length === 0
    ? []
    : [
        sumOf(
          context,
          { id: `${method}.liabilities`, label: 'Liabilities' },
          itemNodes(context, `${method}.liability`, liabilities),
        ),
      ]
