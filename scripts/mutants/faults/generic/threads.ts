import type { Mutant } from '../../mutant.ts'

export const threadsFaults: readonly Mutant[] = [
  {
    name: 'A free turn goes to the share that runs the most.',
    file: 'packages/server/src/turns/fair-turns.ts',
    text: 'share[1].running < best[1].running',
    replacement: 'share[1].running > best[1].running',
    caughtBy: ['packages/server/test/turns/fair-turns.test.ts'],
  },
]
