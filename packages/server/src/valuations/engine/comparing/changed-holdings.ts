import type { ResolvedHolding } from '../engine.ts'

/** What a portfolio holds directly or through others, by the keys that lead to it: the valuation, the share and the discount. */
type Held = Record<string, string>

/** The holdings that differ, before and after. */
export function changedHoldings(
  before: readonly ResolvedHolding[],
  after: readonly ResolvedHolding[],
): [before: Held, after: Held] {
  const [earlier, later] = [heldBy(before), heldBy(after)]
  const isChanged = (path: string) => earlier.get(path) !== later.get(path)
  const changed = (all: ReadonlyMap<string, string>): Held =>
    Object.fromEntries([...all].filter(([path]) => isChanged(path)))
  return [changed(earlier), changed(later)]
}

function heldBy(holdings: readonly ResolvedHolding[], path = '', found = new Map<string, string>()) {
  for (const { key, ownership_percent, discount, holds } of holdings) {
    const at = `${path}/${key}`
    const less = discount ? ` less ${discount.rate}` : ''
    const what =
      'portfolio' in holds
        ? 'a portfolio'
        : `${holds.valuation_id} (${holds.value.amount} ${holds.value.currency})`
    found.set(at, `${ownership_percent} percent of ${what}${less}`)
    if ('portfolio' in holds) heldBy(holds.portfolio, at, found)
  }
  return found
}
