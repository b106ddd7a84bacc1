import type { RunnerError } from './events.ts'
import type { FileRun } from './file-run.ts'
import { readNote } from './notes.ts'

/** What was wrong with the end of a file's process, or undefined. Failed tests are not an error of the process. */
export function describeEnding(
  path: string,
  run: FileRun,
  error: RunnerError | undefined,
  isFiltered: boolean,
): string | undefined {
  const note = readNote(path, 'ending')
  if (note !== undefined) return note
  if (error && error.failureType !== 'subtestsFailed') return describeCrash(error)
  if (!run.hasTests && !isFiltered) return 'It ended without a test.'
  return undefined
}

function describeCrash({ exitCode, signal, message }: RunnerError): string {
  if (signal) return `Its process was ended by ${signal}.`
  return exitCode ? `Its process ended with code ${exitCode}.` : message
}
