import type { Samples } from '../../operations/sample.ts'
import { freshBusiness } from '../fresh-business.ts'

export const samples = {
  create_business: {
    input: () => ({ name: 'One more Harbor', match_policy: 'force_new' }),
    roundTrips: 2,
  },
  update_business: {
    input: async world => ({
      business_id: await freshBusiness(world),
      expected_revision: 1,
      description: 'New',
    }),
    others: {
      'of a published Business': async world => ({
        business_id: await freshBusiness(world, 'published'),
        expected_revision: 1,
        description: 'New',
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
