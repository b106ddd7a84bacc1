import type { Client } from '@wbs/sdk'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'

export type PortfolioId = string
type Given = Parameters<Client['setHolding']>[0]
export type Holding = Omit<Given, 'portfolio_id' | 'key' | 'removed'>

/** A Workspace in which tests make portfolios. */
export interface PortfolioWorld extends ValuationWorld {
  /** An empty portfolio of the member. */
  portfolio(name?: string): Promise<PortfolioId>
  /** Makes a portfolio hold something, as the member. */
  hold(portfolio_id: PortfolioId, key: string, holding: Holding | null): ReturnType<Client['setHolding']>
  /** The same for another portfolio. */
  holdPortfolio(portfolio_id: PortfolioId, held: PortfolioId): ReturnType<Client['setHolding']>
  /** Portfolios each of which holds the next one. */
  chain(length: number): Promise<PortfolioId[]>
}

export async function makePortfolioWorld(): Promise<PortfolioWorld> {
  const world = await makeValuationWorld()
  const member = world.client('member')
  const portfolio = async (name = 'Main Street Fund I') =>
    (await member.createPortfolio({ name, currency: 'USD' })).data.portfolio_id
  const hold: PortfolioWorld['hold'] = (portfolio_id, key, holding) =>
    member.setHolding({ portfolio_id, key, ...(holding ?? { removed: true }) })
  const holdPortfolio: PortfolioWorld['holdPortfolio'] = (portfolio_id, held) =>
    hold(portfolio_id, held.toLowerCase(), {
      subject: { type: 'portfolio', id: held },
      ownership_percent: '100',
    })
  return {
    ...world,
    portfolio,
    hold,
    holdPortfolio,
    async chain(length) {
      const ids: PortfolioId[] = []
      for (let i = 0; i < length; i++) ids.push(await portfolio(`Level ${i + 1}`))
      for (const [i, held] of ids.slice(1).entries()) await holdPortfolio(ids[i] as PortfolioId, held)
      return ids
    },
  }
}
