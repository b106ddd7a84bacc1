import type { RunnerError } from './events.ts'
import type { FileRun } from './file-run.ts'
import type { GroupRun } from './groups/group-run.ts'
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

/** What was wrong with the end of a group's process, or undefined. */
export function describeGroupEnding(group: GroupRun, error: RunnerError | undefined): string | undefined {
  const note = readNote(group.path, 'ending')
  if (note !== undefined) return note
  return error && error.failureType !== 'subtestsFailed' ? describeCrash(error) : undefined
}

/** What happened to a file of a group whose process ended before the file. `ending` is how it ended. */
export function describeUnfinished(file: FileRun, group: GroupRun, ending: string | undefined): string {
  const { last } = group
  if (file === last) return ending ?? 'Its process ended before its tests did.'
  return group.isBefore(file, last)
    ? `Its results were lost, because the process of its group ended in ${last.name}.`
    : `It did not run, because the process of its group ended in ${last.name}.`
}

function describeCrash({ exitCode, signal, message }: RunnerError): string {
  if (signal) return `Its process was ended by ${signal}.`
  return exitCode ? `Its process ended with code ${exitCode}.` : message
}
