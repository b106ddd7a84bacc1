import { fileForAll } from '../../files/fresh-file.ts'
import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshValuation } from '../fresh-valuation.ts'

const evidenceOf = async (world: World, about: object = {}) => ({
  valuation_id: await freshValuation(world),
  code: 'returns',
  file_id: await fileForAll(world),
  dated_on: '2026-03-31',
  ...about,
})

export const samples = {
  add_valuation_evidence: {
    input: async world => evidenceOf(world),
    others: {
      'with all fields': async world =>
        evidenceOf(world, {
          dated_on: '2026-07-15',
          known_or_knowable: true,
          pointer: '/inputs/periods/0/income',
          note: 'Page 3 has the totals.',
        }),
    },
    roundTrips: 2,
    readBack: false,
  },
  list_valuation_evidence: { input: async world => ({ valuation_id: await freshValuation(world) }) },
} satisfies Samples
