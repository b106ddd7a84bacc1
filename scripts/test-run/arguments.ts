import { availableParallelism } from 'node:os'

/**
 * Two more processes than there are cores, because two usually wait; one more on a PostgreSQL of somebody else, which allows
 * fewer connections than that of the tests.
 */
const waiting = process.env['DATABASE_URL'] ? 1 : 2
export const CONCURRENCY = Math.min(availableParallelism() + waiting, 6)

const beside = (file: string) => import.meta.resolve(`../${file}`)

/** The options of Node for test files. `options` take precedence; a reporter among them replaces ours. */
export function runnerArguments(options: readonly string[], files: readonly string[]): string[] {
  const hasReporter = options.some(option => option.startsWith('--test-reporter'))
  return [
    '--test',
    ...(hasReporter ? [] : [`--test-reporter=${beside('test-reporter.ts')}`]),
    `--test-concurrency=${CONCURRENCY}`,
    '--test-timeout=300000',
    `--import=${beside('test-ending.ts')}`,
    ...options,
    ...files,
  ]
}
