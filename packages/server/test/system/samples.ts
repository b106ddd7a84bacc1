import type { Samples } from '../operations/sample.ts'

export const samples = {
  health: { input: () => ({}) },
  ready: { input: () => ({}) },
} satisfies Samples
