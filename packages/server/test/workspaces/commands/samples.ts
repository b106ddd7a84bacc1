import type { Samples } from '../../operations/sample.ts'

export const samples = {
  get_command: { input: () => ({ idempotency_key: 'a-key-of-nobody' }), answersForAbsent: true },
} satisfies Samples
