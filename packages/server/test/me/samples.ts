import type { Samples } from '../operations/sample.ts'

export const samples = {
  get_me: { input: () => ({}) },
  list_my_rooms: { input: () => ({}) },
} satisfies Samples
