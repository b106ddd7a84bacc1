import type { Samples } from '../../operations/sample.ts'
import { freshBusiness } from '../fresh-business.ts'

export const samples = {
  set_workspace_profile: {
    input: async world => ({
      business_id: await freshBusiness(world),
      notes: 'The owner wants to retire next year.',
      expected_revision: 0,
    }),
    readBack: false,
    roundTrips: 2,
  },
  get_workspace_profile: { input: ({ published_id }) => ({ business_id: published_id }) },
} satisfies Samples
