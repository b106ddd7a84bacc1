import type { Mutant } from '../../mutant.ts'

export const businessesFaults: readonly Mutant[] = [
  {
    name: 'A change of a private location counts as public.',
    file: 'packages/server/src/businesses/business-facts.ts',
    text: 'return locationIsPublic',
    replacement: 'return true',
    caughtBy: ['packages/server/test/businesses/facts/update-published-business.test.ts'],
  },
  {
    name: 'The answer of a change shows the private parts of a published Business.',
    file: 'packages/server/src/businesses/business-record.ts',
    text: 'part.published || !publicOnly',
    replacement: 'part.published || publicOnly',
    caughtBy: [
      'packages/server/test/businesses/facts/update-published-business.test.ts',
      'packages/server/test/businesses/private-stays-private.test.ts',
      'packages/server/test/businesses/answers-as-read.test.ts',
    ],
  },
  {
    name: 'Where it is tomorrow already, nothing can be observed today.',
    file: 'packages/server/src/businesses/observations/observation.ts',
    text: '14 * 3_600_000',
    replacement: '12 * 3_600_000',
    caughtBy: ['packages/server/test/businesses/observations/observation.test.ts'],
  },
  {
    name: 'A search takes a backslash for an escape.',
    file: 'packages/server/src/businesses/fold.ts',
    text: `/[\\\\%_]/g`,
    replacement: '/[%_]/g',
    caughtBy: ['packages/server/test/businesses/fold.test.ts'],
  },
  {
    name: 'A Workspace sees a withdrawn Business that it linked while it was published.',
    file: 'packages/server/src/businesses/business-access.ts',
    text: ' && visibility.sees_unpublished === true',
    replacement: '',
    caughtBy: ['packages/server/test/businesses/workspace-links/link-business.test.ts'],
  },
  {
    name: 'A published fact changes without its source.',
    file: 'packages/server/src/businesses/facts/update-business.ts',
    text: 'if (!source && published.length > 0)',
    replacement: 'if (!source && published.length > 1)',
    caughtBy: ['packages/server/test/businesses/facts/update-published-business.test.ts'],
  },
  {
    name: 'A retracted observation is still the latest.',
    file: 'packages/server/src/businesses/workspace-links/workspace-business-store.ts',
    text: ' and retracted_at is null',
    replacement: '',
    caughtBy: [
      'packages/server/test/businesses/workspace-links/workspace-context.test.ts',
      'packages/server/test/businesses/observations/retract-observation.test.ts',
    ],
  },
  {
    name: 'Two Businesses in different cities are candidates for the same.',
    file: 'packages/server/src/businesses/facts/candidate-match.ts',
    text: 'place.includes(false) ? []',
    replacement: 'place.every(part => part === false) ? []',
    caughtBy: ['packages/server/test/businesses/facts/candidate-match.test.ts'],
  },
]
