import type { CalculationNode } from '../calculation/node.ts'
import { type EngineContext, InvalidDocument } from '../engine.ts'

/** An exchange rate as the document gives it. */
type Rate = NonNullable<EngineContext['document']['inputs']['fx']>[number]

/** How an amount gets from a currency to that of the valuation. */
export type Exchange = (currency: string) => { rate: CalculationNode; source: string; as_of: string } | null

/**
 * The exchange rates of a valuation, from inputs.fx: for a pair of currencies the rate that is given, else the inverse of that of
 * the opposite pair. No rate is computed by way of a third currency. Null for the currency of the valuation. Throws
 * InvalidDocument `requires` if there is no rate.
 */
export function exchangeOf({ document, calc }: EngineContext): Exchange {
  const { currency: to } = document
  const known = new Map<string, ReturnType<Exchange>>([[to, null]])
  return from => {
    const earlier = known.get(from)
    if (earlier !== undefined) return earlier
    const found = exchange(from)
    known.set(from, found)
    return found
  }

  function exchange(from: string): NonNullable<ReturnType<Exchange>> {
    const direct = given(from, to)
    if (direct) return { ...direct, rate: input(direct, `exchange.${from}_${to}`) }
    const opposite = given(to, from)
    if (!opposite)
      throw new InvalidDocument({
        pointer: '/inputs/fx',
        code: 'requires',
        detail: `A holding is valued in ${from}. Give the rate from ${from} to ${to} of a day on or before the valuation date.`,
      })
    const rate = calc.divide(
      { id: `exchange.${from}_${to}`, label: `${to} for one ${from}`, unit: 'ratio' },
      calc.nodes.find(({ id }) => id === 'exchange.one') ??
        calc.input({ id: 'exchange.one', label: '1', unit: 'ratio', source: 'A constant.' }, '1'),
      input(opposite, `exchange.${to}_${from}`),
    )
    return { ...opposite, rate }
  }

  /** The document has at most one for a pair, above 0 and of a day on or before the valuation date. */
  function given(from: string, into: string): Rate | undefined {
    return document.inputs.fx?.find(rate => rate.from === from && rate.to === into)
  }

  function input({ from, to: into, rate, source, as_of }: Rate, id: string): CalculationNode {
    return calc.input({ id, label: `${into} for one ${from}`, unit: 'ratio', source, as_of }, rate)
  }
}
