import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshValuation } from '../fresh-valuation.ts'

const completed = async (world: World) => ({ valuation_id: await freshValuation(world, { run: true }) })

export const samples = {
  explain_valuation: { input: completed },
  get_valuation_sensitivity: { input: completed },
  compare_valuations: {
    input: async world => ({
      ...(await completed(world)),
      with: await freshValuation(world, { run: true, valuation_date: '2026-03-31' }),
    }),
    hidden: ({ hidden }) => ({ with: hidden['valuation_id'] }),
  },
  get_valuation_report: {
    input: completed,
    others: {
      'as Markdown': async world => ({ ...(await completed(world)), format: 'md' }),
      'as HTML': async world => ({ ...(await completed(world)), format: 'html' }),
    },
  },
} satisfies Samples
