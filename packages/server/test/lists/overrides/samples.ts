import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { definitionOf } from '../list-fixture.ts'

/** A new List without members, in which the published Business of the world can be included. */
async function freshPlace({ us, published_id }: World) {
  const { data } = await us.createList({ name: 'Candidates', definition: definitionOf({ kind: 'none' }) })
  return { list_id: data.id, member_id: published_id }
}

/** A new List with an override that includes the published Business. */
async function overriddenPlace(world: World) {
  const { list_id, member_id } = await freshPlace(world)
  await world.us.setListOverride({
    list_id,
    member_id,
    mode: 'include',
    reason: 'The owner called.',
    expected_version: 1,
  })
  return { list_id, member_id }
}

export const samples = {
  set_list_override: {
    input: async world => ({
      ...(await freshPlace(world)),
      mode: 'include',
      reason: 'The owner called.',
      expires_at: '2090-01-01T00:00:00Z',
      expected_version: 1,
    }),
    others: {
      'another override': async world => ({
        ...(await overriddenPlace(world)),
        mode: 'exclude',
        expected_version: 2,
      }),
      'no override': async world => ({ ...(await overriddenPlace(world)), mode: null, expected_version: 2 }),
    },
    readBack: false,
    roundTrips: 2,
  },
  list_list_overrides: {
    input: async world => ({ list_id: (await overriddenPlace(world)).list_id }),
  },
} satisfies Samples
