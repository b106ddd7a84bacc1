import type { HoldingRow } from './holding-store.ts'

/** A holding for an answer. */
export function presentHolding(row: HoldingRow) {
  const { portfolio_id, key, subject, ownership_percent, valuation_id, discount, updated_at } = row
  return { portfolio_id, key, subject, ownership_percent, valuation_id, discount, updated_at }
}
