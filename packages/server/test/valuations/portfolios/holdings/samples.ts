import type { Samples } from '../../../operations/sample.ts'
import type { World } from '../../../operations/world.ts'
import { freshPortfolio } from '../samples.ts'

export const samples = {
  list_holdings: { input: async world => ({ portfolio_id: (await withHolding(world)).portfolio_id }) },
  get_holding: {
    input: async world => {
      const { portfolio_id, key } = await withHolding(world)
      return { portfolio_id, key }
    },
  },
  set_holding: {
    input: async world => ({
      portfolio_id: await freshPortfolio(world),
      key: 'corner-bakery',
      subject: { type: 'business', id: world.published_id },
      ownership_percent: '60',
    }),
    others: {
      'of a portfolio': async world => ({
        portfolio_id: await freshPortfolio(world),
        key: 'fund-ii',
        subject: { type: 'portfolio', id: await freshPortfolio(world) },
        ownership_percent: '25.5',
        discount: { rate: '0.1', reason: 'The shares cannot be sold for two years.' },
      }),
      'to be removed': withHolding,
    },
    // A portfolio shows how many holdings it has, and lists of holdings show the holding.
    readBack: false,
    roundTrips: 2,
  },
} satisfies Samples

/** A holding to remove. */
async function withHolding(world: World) {
  const portfolio_id = await freshPortfolio(world)
  const key = 'corner-bakery'
  await world.us.setHolding({
    portfolio_id,
    key,
    subject: { type: 'business', id: world.published_id },
    ownership_percent: '60',
  })
  return { portfolio_id, key, removed: true as const }
}
