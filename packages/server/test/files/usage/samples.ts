import type { Samples } from '../../operations/sample.ts'

export const samples = {
  get_workspace_usage: { input: ({ workspace_id }) => ({ workspace_id }) },
} satisfies Samples
