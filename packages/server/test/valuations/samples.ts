import type { Samples } from '../operations/sample.ts'
import { freshValuation, freshValuationRevision } from './fresh-valuation.ts'
import { bakery } from './valuation-document.ts'

const signature = {
  statement: 'I have no interest in the subject.',
  qualifications: 'Accredited Senior Appraiser since 2012.',
}

export const samples = {
  create_valuation: {
    input: () => ({ ...bakery({ run: true }) }),
    visitor: () => ({ ...bakery({ run: true }) }),
    others: {
      'a draft': () => ({ ...bakery() }),
      'of a Business': ({ published_id }) => ({
        ...bakery({ run: true }),
        subject: { type: 'business', id: published_id, name: 'Harbor Bakery' },
        business_id: published_id,
      }),
      'of a Business with a Room': async world => {
        await world.us.createRoom({ title: 'Sale', business_id: world.published_id })
        return { ...bakery({ run: true }), business_id: world.published_id }
      },
    },
  },
  get_valuation: { input: async world => ({ valuation_id: await freshValuation(world, { run: true }) }) },
  list_valuations: { input: () => ({}) },
  update_valuation: {
    input: async world => ({
      ...(await freshValuationRevision(world)),
      purpose: 'planning',
      subject: { type: 'business', id: world.published_id },
      business_id: world.published_id,
    }),
    others: {
      'without a change': async world => ({ ...(await freshValuationRevision(world)), purpose: 'sale' }),
      'that removes the weights': async world => ({
        ...(await freshValuationRevision(world)),
        weights: null,
      }),
    },
  },
  run_valuation: { input: async world => ({ ...(await freshValuationRevision(world)), seed: 7 }) },
  revise_valuation: {
    input: async world => ({
      ...(await freshValuationRevision(world, { run: true })),
      business_id: world.published_id,
      level_of_value: 'control_nonmarketable',
    }),
  },
  sign_valuation: {
    input: async world => ({
      ...(await freshValuationRevision(world, { run: true, engagement_type: 'calculation' })),
      ...signature,
    }),
    answers: { key: 403 },
    roundTrips: 2,
  },
} satisfies Samples
