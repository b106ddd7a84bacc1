import type { Mutant } from '../../mutant.ts'

export const inspectionFaults: readonly Mutant[] = [
  {
    name: 'A text has one page more than the limit.',
    file: 'packages/server/src/inspection/text-pages.ts',
    text: 'found.length >= limits.pages',
    replacement: 'found.length > limits.pages',
    caughtBy: ['packages/server/test/inspection/text-pages.test.ts'],
  },
  {
    name: 'Doubled quotes of CSV stay doubled.',
    file: 'packages/server/src/inspection/csv-records.ts',
    text: `.replaceAll('""', '"')`,
    replacement: '',
    caughtBy: ['packages/server/test/inspection/csv-records.test.ts'],
  },
  {
    name: 'Bytes that are no text pass as text.',
    file: 'packages/server/src/inspection/content-types.ts',
    text: 'return !found.is_utf8',
    replacement: 'return false',
    caughtBy: ['packages/server/test/inspection/content-types.test.ts'],
  },
  {
    name: 'Hostile content has the longest time, however small it is.',
    file: 'packages/server/src/inspection/limits.ts',
    text: 'Math.min(limits.seconds, limits',
    replacement: 'Math.max(limits.seconds, limits',
    caughtBy: ['packages/server/test/inspection/seconds-for.test.ts'],
  },
]
