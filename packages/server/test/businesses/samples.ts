import type { Samples } from '../operations/sample.ts'

export const samples = {
  get_business: { input: ({ published_id }) => ({ business_id: published_id }) },
} satisfies Samples
