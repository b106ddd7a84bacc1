import type { Mutant } from '../../mutant.ts'

export const threadsFaults: readonly Mutant[] = [
  {
    name: 'A Workspace keeps the first place in the rotation.',
    file: 'packages/server/src/threads/fair-turns.ts',
    text: 'const [first] = queues',
    replacement: 'const first = [...queues].at(-1)',
    caughtBy: ['packages/server/test/threads/fair-turns.test.ts'],
  },
]
