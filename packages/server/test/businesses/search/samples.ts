import type { Samples } from '../../operations/sample.ts'

export const samples = {
  search_businesses: { input: () => ({ query: 'harbor' }) },
} satisfies Samples
