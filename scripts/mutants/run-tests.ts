import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runnerArguments } from '../test-run/arguments.ts'
import { verdictOn, type Verdict } from './verdict.ts'

/** How long a run of files may take, in milliseconds; one that takes longer is ended. */
const mostMilliseconds = 15 * 60_000
/** How long the other tests may go on once one has failed. */
const afterFailure = 20_000

/** Where tests run. */
export interface Place {
  /** A copy of the project. */
  copy: string
  /** Ends the run. */
  signal: AbortSignal
}

/**
 * Runs test files on the database server of this process; with a changed schema on a server of their own, because all others copy
 * one database. Ends soon after the first failure.
 */
export async function runTests(
  { copy, signal }: Place,
  files: readonly string[],
  { hasOwnSchema }: { hasOwnSchema: boolean },
): Promise<Verdict> {
  signal.throwIfAborted()
  const args = hasOwnSchema ? [join(copy, 'scripts/test.ts'), ...files] : runnerArguments([], files)
  const run = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => void run.kill()
  signal.addEventListener('abort', end)
  let [output, isTimedOut] = ['', false]
  const patience = setTimeout(() => {
    isTimedOut = true
    end()
  }, mostMilliseconds)
  let impatience: NodeJS.Timeout | undefined
  for (const stream of [run.stdout, run.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (/^✖ /m.test(text)) impatience ??= setTimeout(end, afterFailure)
    })
  const exitCode = await new Promise<number | null>(resolve => run.on('close', resolve))
  clearTimeout(patience)
  clearTimeout(impatience)
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
  return verdictOn({ output, exitCode, isTimedOut }, files)
}
