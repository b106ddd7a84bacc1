import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { oven } from './oven.ts'

export const samples = {
  create_asset: {
    input: world => ({ ...oven, business_id: world.published_id }),
    others: { 'of no Business': () => oven },
    roundTrips: 2,
  },
  get_asset: { input: async world => ({ asset_id: await freshAsset(world) }) },
  list_assets: {
    input: () => ({}),
    others: { 'of a Business': world => ({ business_id: world.published_id, class: 'equipment' }) },
  },
  update_asset: {
    input: async world => ({ ...(await freshRevision(world)), condition: 'poor' }),
    others: {
      'to belong to a Business': async world => ({
        ...(await freshRevision(world)),
        business_id: world.published_id,
      }),
      'without a change': async world => ({ ...(await freshRevision(world)), condition: oven.condition }),
    },
    roundTrips: 2,
  },
} satisfies Samples

async function freshAsset({ us }: World) {
  return (await us.createAsset(oven)).data.asset_id
}

const freshRevision = async (world: World) => ({ asset_id: await freshAsset(world), expected_revision: 1 })
