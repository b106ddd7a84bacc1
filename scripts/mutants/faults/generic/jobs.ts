import type { Mutant } from '../../mutant.ts'

export const jobsFaults: readonly Mutant[] = [
  {
    name: 'A job that is due later runs at once.',
    file: 'packages/server/src/jobs/jobs.ts',
    text: '...(due && { startAfter: due }),',
    replacement: '',
    caughtBy: ['packages/server/test/rooms/participants/expire-participant.test.ts'],
  },
  {
    name: 'A job that is given back loses one of its retries.',
    file: 'packages/server/src/jobs/give-back.ts',
    text: 'retry_limit = retry_limit + 1, ',
    replacement: '',
    caughtBy: ['packages/server/test/jobs/jobs.test.ts'],
  },
  {
    name: 'The log has the text of the error of a job.',
    file: 'packages/server/src/jobs/job-log.ts',
    text: 'error.cause === undefined ? error.name',
    replacement: 'error.cause === undefined ? error.message',
    caughtBy: ['packages/server/test/jobs/job-log.test.ts', 'packages/server/test/jobs/jobs.test.ts'],
  },
]
