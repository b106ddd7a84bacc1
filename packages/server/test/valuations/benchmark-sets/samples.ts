import type { Samples } from '../../operations/sample.ts'
import { row } from './row.ts'

export const samples = {
  import_benchmark_set: { input: () => ({ name: 'Own deals', rows: [row] }), roundTrips: 2 },
  list_benchmark_sets: { input: () => ({}) },
  get_benchmark_set: {
    input: async ({ us }) => {
      const { data } = await us.importBenchmarkSet({ rows: [row] })
      return { benchmark_set_id: data.benchmark_set_id }
    },
  },
} satisfies Samples
