import { whatKeepsProcess } from './kept.ts'
import { leaveNote } from './notes.ts'
import { whatFilesLeftOpen } from './groups/open-resources.ts'

const STAYED = 97
const LEFT = 98
/** How long a process may take to end after its last hook. Hooks of the file get longer. */
const GRACE_MS = Number(process.env['WBS_TEST_GRACE_MS'] ?? 10_000)
const HOOKS_MS = 60_000 + GRACE_MS

let entry = ''
let areTestsDone = false
let timer: NodeJS.Timeout | undefined

/** Watches the end of this process, which runs a test file or a group. Fails it if it ends before its tests. */
export function watchProcess(testFile: string): void {
  entry = testFile
  leaveNote(entry, 'process', String(process.pid))
  process.on('exit', code => {
    if (areTestsDone || code !== 0) return
    leaveNote(entry, 'ending', 'Its process ended before its tests did.')
    process.exitCode = LEFT
  })
}

/** The tests have ended; hooks may run. */
export function testsAreDone(): void {
  areTestsDone = true
  endIn(HOOKS_MS)
}

/** The last hook has ended. The process must end now. */
export const hooksAreDone = (): void => endIn(GRACE_MS)

function endIn(milliseconds: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const kept = `${whatKeepsProcess()} kept it.${whatFilesLeftOpen()}`
    leaveNote(entry, 'ending', `Its process did not end after its last test. ${kept}`)
    process.exit(STAYED)
  }, milliseconds).unref()
}
