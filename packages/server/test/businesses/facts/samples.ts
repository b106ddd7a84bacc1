import type { Samples } from '../../operations/sample.ts'
import { freshBusiness } from '../fresh-business.ts'

export const samples = {
  create_business: {
    input: () => ({
      name: 'Corner Bakery',
      state: 'MA',
      city: 'Boston',
      naics_code: '311811',
      match_policy: 'force_new',
    }),
    found: () => ({ name: 'Harbor Bakery', state: 'MA', city: 'Boston', match_policy: 'return_existing' }),
    roundTrips: 2,
  },
  update_business: {
    input: async world => ({
      business_id: await freshBusiness(world),
      expected_revision: 1,
      description: 'A bakery with two shops and a wholesale kitchen.',
    }),
    others: {
      'of a published Business': async world => ({
        business_id: await freshBusiness(world, 'published'),
        expected_revision: 1,
        description: 'A bakery with two shops and a wholesale kitchen.',
        source: { kind: 'statement', note: 'By phone.' },
      }),
    },
    roundTrips: 2,
  },
  publish_business: {
    input: async world => ({ business_id: await freshBusiness(world), expected_revision: 1 }),
    roundTrips: 2,
  },
  withdraw_business: {
    input: async world => ({ business_id: await freshBusiness(world, 'published'), expected_revision: 1 }),
    roundTrips: 2,
  },
} satisfies Samples
