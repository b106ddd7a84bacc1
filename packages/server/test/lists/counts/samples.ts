import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { definitionOf, where } from '../list-fixture.ts'

const inMassachusetts = definitionOf(where('state', 'eq', 'MA'))

const freshList = async ({ us }: World) =>
  (await us.createList({ name: 'Candidates', definition: inMassachusetts })).data.id

export const samples = {
  count_list: { input: async world => ({ list_id: await freshList(world) }), roundTrips: 2 },
  preview_list: {
    input: async world => ({ definition: inMassachusetts, list_id: await freshList(world) }),
    others: { 'a definition without a List': () => ({ definition: inMassachusetts }) },
  },
} satisfies Samples
