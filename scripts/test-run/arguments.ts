import { availableParallelism } from 'node:os'

/** One more than there are cores, because one usually waits. More would need more connections than PostgreSQL allows. */
export const CONCURRENCY = Math.min(availableParallelism() + 1, 6)

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
