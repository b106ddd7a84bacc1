/**
 * What a run of tests says about a mutant. `broken`: the code cannot be loaded, or PostgreSQL cannot read a statement. `timed out`:
 * the run or a test took too long, which a busy machine can cause as well.
 */
export type Verdict = { is: 'passed' } | { is: 'failed' | 'broken' | 'timed out'; by: string }

export interface Ended {
  output: string
  exitCode: number | null
  isTimedOut: boolean
}

const cannotLoad =
  /\bSyntaxError: (?!.*\bJSON\b)|ERR_(?:MODULE_NOT_FOUND|INVALID_TYPESCRIPT|UNSUPPORTED_TYPESCRIPT)|\b(?:syntax error at or near|column "?[\w.]+"? does not exist|there is no parameter \$)/

/** Judges a run by its output: the first failed test names what found the fault. */
export function verdictOn({ output, exitCode, isTimedOut }: Ended, files: readonly string[]): Verdict {
  const by = /^✖ (\S+ {2}.+)$/m.exec(output)?.[1] ?? files.join(', ')
  const broken = cannotLoad.exec(output)?.[0]
  if (broken !== undefined) return { is: 'broken', by: `${by}: ${broken}` }
  if (/^ +test timed out after/im.test(output)) return { is: 'timed out', by }
  if (exitCode !== 0 && /^✖ /m.test(output)) return { is: 'failed', by }
  if (isTimedOut) return { is: 'timed out', by }
  return exitCode === 0 ? { is: 'passed' } : { is: 'failed', by }
}
