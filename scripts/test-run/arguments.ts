import { availableParallelism } from 'node:os'

/** One more than can compute at once, for there is always one that waits. More would need more connections than a PostgreSQL has. */
const CONCURRENCY = Math.min(availableParallelism() + 1, 6)

const beside = (file: string) => import.meta.resolve(`../${file}`)

/** How Node runs test files here. What `options` say counts more; a reporter among them replaces ours. */
export function runnerArguments(options: readonly string[], files: readonly string[]): string[] {
  const isToldByAnother = options.some(option => option.startsWith('--test-reporter'))
  return [
    '--test',
    ...(isToldByAnother ? [] : [`--test-reporter=${beside('test-reporter.ts')}`]),
    `--test-concurrency=${CONCURRENCY}`,
    '--test-timeout=300000',
    `--import=${beside('test-ending.ts')}`,
    ...options,
    ...files,
  ]
}
