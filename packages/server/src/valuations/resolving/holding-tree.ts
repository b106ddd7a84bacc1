import { Unvaluable, type ResolvedHolding } from '../engine/engine.ts'
import { mostHoldingsInTree, mostLevels } from '../portfolios/holdings/holding.ts'

/** A holding with what counts for its value. */
export interface HeldRow {
  portfolio_id: string
  /** The level of its portfolio: 1 for the one that is valued. */
  level: number
  key: string
  subject_type: 'business' | 'asset' | 'portfolio'
  subject_id: string | null
  ownership_percent: string
  discount_rate: string | null
  discount_reason: string | null
  /** Of the valuation that counts; null if there is none. A portfolio that is looked through has none. */
  valuation_id: string | null
  valuation_date: string | null
  point: { amount: string; currency: string } | null
  /** Null if it has none that the caller may read. */
  name: string | null
}

/**
 * The holdings of a portfolio as a tree, in the order of their keys. Holdings without a value are left out of a draft; a run
 * cannot go on without them. Throws Unvaluable.
 */
export function holdingTree(
  rows: readonly HeldRow[],
  portfolio_id: string,
  { use, valuation_date }: { use: 'draft' | 'run'; valuation_date: string },
): ResolvedHolding[] {
  if (rows.length > mostHoldingsInTree || rows.some(({ level }) => level > mostLevels)) {
    if (use === 'draft') return []
    throw new Unvaluable(tooLarge)
  }
  const rowsOf = Map.groupBy(rows, row => row.portfolio_id)
  const sizes = new Map<string, number>()
  const trees = new Map<string, ResolvedHolding[]>()

  function treeOf(id: string, path: readonly string[]): ResolvedHolding[] {
    const known = trees.get(id)
    if (known) return known
    const tree = (rowsOf.get(id) ?? []).flatMap(row => holdingOf(row, [...path, row.key]))
    const size = (rowsOf.get(id) ?? []).reduce((sum, row) => sum + 1 + sizeBelow(row), 0)
    if (size > mostHoldingsInTree && use === 'run') throw new Unvaluable(tooLarge)
    sizes.set(id, size)
    trees.set(id, size > mostHoldingsInTree ? [] : tree)
    return trees.get(id) as ResolvedHolding[]
  }

  const sizeBelow = (row: HeldRow): number => (looksThrough(row) ? (sizes.get(row.subject_id) ?? 0) : 0)

  function holdingOf(row: HeldRow, path: readonly string[]): ResolvedHolding[] {
    const { key, subject_type, ownership_percent, discount_rate, discount_reason, valuation_id } = row
    const described = {
      key,
      subject_type,
      name: row.name ?? key,
      ownership_percent,
      discount:
        discount_rate === null || discount_reason === null
          ? null
          : { rate: discount_rate, reason: discount_reason },
    }
    if (looksThrough(row)) return [{ ...described, holds: { portfolio: treeOf(row.subject_id, path) } }]
    if (valuation_id !== null && row.point !== null && row.valuation_date !== null)
      return [{ ...described, holds: { value: row.point, valuation_id, valuation_date: row.valuation_date } }]
    if (use === 'draft') return []
    throw new Unvaluable(
      `The holding ${path.join('/')} has no value: its subject has no completed valuation of 100 percent (of the equity, for a Business) dated ${valuation_date} or earlier. Complete one, or name a valuation in the holding.`,
    )
  }

  return treeOf(portfolio_id, [])
}

const looksThrough = (row: HeldRow): row is HeldRow & { subject_id: string } =>
  row.subject_type === 'portfolio' && row.valuation_id === null && row.subject_id !== null

const tooLarge = `The portfolio is too large to be valued: with the portfolios that it holds it may have at most ${mostHoldingsInTree} holdings on ${mostLevels} levels.`
