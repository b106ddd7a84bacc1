import { addBusiness } from '../../harness/businesses.ts'
import type { Samples } from '../../operations/sample.ts'
import { freshBusiness } from '../fresh-business.ts'

export const samples = {
  list_workspace_businesses: { input: ({ workspace_id }) => ({ workspace_id }) },
  link_business: {
    input: async ({ service, workspace_id }) => ({
      workspace_id,
      business_id: await addBusiness(service, { name: 'Pier' }),
    }),
    readBack: false,
    roundTrips: 2,
  },
  unlink_business: {
    input: async world => ({
      workspace_id: world.workspace_id,
      business_id: await freshBusiness(world),
    }),
    readBack: false,
    roundTrips: 2,
  },
} satisfies Samples
