import type { Mutant } from '../../mutant.ts'

export const httpFaults: readonly Mutant[] = [
  {
    name: 'The last byte of a range is left out.',
    file: 'packages/server/src/http/answers/byte-range.ts',
    text: 'Number(last) + 1)',
    replacement: 'Number(last))',
    caughtBy: [
      'packages/server/test/http/bytes/content-answers.test.ts',
      'packages/server/test/http/bytes/sending.test.ts',
    ],
  },
  {
    name: 'A log has the whole IPv4 address of a client.',
    file: 'packages/server/src/http/answers/logged-address.ts',
    text: 'family === 4 ? 24 : 48',
    replacement: 'family === 4 ? 32 : 48',
    caughtBy: ['packages/server/test/http/request-log.test.ts'],
  },
  {
    name: 'Browsers may run HTML that somebody uploaded.',
    file: 'packages/server/src/http/answers/content-headers.ts',
    text: "is_own && type === 'text/html'",
    replacement: "type === 'text/html'",
    caughtBy: ['packages/server/test/http/bytes/content-headers.test.ts'],
  },
  {
    name: 'One Workspace may take all slots of a node.',
    file: 'packages/server/src/http/bounds/admission.ts',
    text: 'Math.ceil(slots / 2)',
    replacement: 'slots',
    caughtBy: ['packages/server/test/http/bounds/admission.test.ts'],
  },
  {
    name: 'Every origin may read answers.',
    file: 'packages/server/src/http/cross-origin/cross-origin.ts',
    text: 'if (!isAllowed(request)) return',
    replacement: '',
    caughtBy: ['packages/server/test/http/cross-origin/answers.test.ts'],
  },
  {
    name: 'A repeated credential header is accepted.',
    file: 'packages/server/src/http/requests/before-body.ts',
    text: "['Host', 'Authorization', 'X-SVC-API-Key']",
    replacement: "['Host']",
    caughtBy: ['packages/server/test/http/headers.test.ts'],
  },
  {
    name: 'Compressed bodies are read as they are.',
    file: 'packages/server/src/http/requests/before-body.ts',
    text: "encoding.toLowerCase() !== 'identity'",
    replacement: "encoding.toLowerCase() === 'identity'",
    caughtBy: ['packages/server/test/http/bounds/bodies.test.ts'],
  },
]
