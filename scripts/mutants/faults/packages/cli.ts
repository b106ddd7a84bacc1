import type { Mutant } from '../../mutant.ts'

export const cliFaults: readonly Mutant[] = [
  {
    name: 'A spreadsheet runs a text that begins with a minus.',
    file: 'packages/cli/src/lists/formula-guard.ts',
    text: `[=+\\-@\\t`,
    replacement: `[=+@\\t`,
    caughtBy: ['packages/cli/test/lists/cells.test.ts'],
  },
  {
    name: 'A resource that does not exist ends with the code of a failure.',
    file: 'packages/cli/src/operations/exit-codes.ts',
    text: '404: exitCodes.notFound',
    replacement: '404: exitCodes.failed',
    caughtBy: ['packages/cli/test/operations/exit-codes.test.ts'],
  },
  {
    name: 'The group of a person may read their credentials.',
    file: 'packages/cli/src/profiles/profile-store.ts',
    text: '(mode & 0o077)',
    replacement: '(mode & 0o007)',
    caughtBy: ['packages/cli/test/profiles/sessions.test.ts'],
  },
  {
    name: 'A service elsewhere sends secrets to a port of this machine.',
    file: 'packages/cli/src/sessions/trusted-url.ts',
    text: ' && isLoopback(new URL(from))',
    replacement: '',
    caughtBy: ['packages/cli/test/login/hostile-service.test.ts', 'packages/cli/test/profiles/rules.test.ts'],
  },
]
