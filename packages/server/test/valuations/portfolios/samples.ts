import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'

const fund = { name: 'Main Street Fund I', currency: 'USD' }

export const samples = {
  create_portfolio: {
    input: world => ({ ...fund, business_id: world.published_id }),
    others: { 'of no Business': () => fund },
    roundTrips: 2,
  },
  get_portfolio: { input: async world => ({ portfolio_id: await freshPortfolio(world) }) },
  list_portfolios: {
    input: () => ({}),
    others: { 'of a Business': world => ({ business_id: world.published_id }) },
  },
  update_portfolio: {
    input: async world => ({
      portfolio_id: await freshPortfolio(world),
      expected_revision: 1,
      name: 'Main Street Fund II',
    }),
    others: {
      'without a change': async world => ({
        portfolio_id: await freshPortfolio(world),
        expected_revision: 1,
        ...fund,
      }),
    },
    roundTrips: 2,
  },
} satisfies Samples

/** A new portfolio without holdings. */
export async function freshPortfolio({ us }: World) {
  return (await us.createPortfolio(fund)).data.portfolio_id
}
