import type { PortfolioRow } from './portfolio-store.ts'

/** A portfolio for an answer. */
export function presentPortfolio(row: PortfolioRow) {
  const { portfolio_id, name, currency, business_id, holding_count, revision, created_at, updated_at } = row
  return { portfolio_id, name, currency, business_id, holding_count, revision, created_at, updated_at }
}

/** A portfolio as the subject of an event. */
export const portfolioAsSubject = ({ portfolio_id, name }: Pick<PortfolioRow, 'portfolio_id' | 'name'>) => ({
  type: 'portfolio',
  id: portfolio_id,
  name,
})
