import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'
import { whatKeepsProcess } from './test-run/kept.ts'
import { leaveNote } from './test-run/notes.ts'

/**
 * Loaded into the process of each test file, before the file. Fails a file whose process does not end after its last
 * test, because a socket, timer or listener is still open, and a file whose process ends before its tests.
 */
const STAYED = 97
const LEFT = 98
/** How long a process may take to end after its last hook. Hooks of the file get longer. */
const GRACE_MS = Number(process.env['WBS_TEST_GRACE_MS'] ?? 10_000)
const HOOKS_MS = 60_000 + GRACE_MS

const [, testFile] = process.argv
// Processes that a test starts inherit the environment, and worker threads inherit this module; neither is a test file.
if (isMainThread && process.env['NODE_TEST_CONTEXT'] === 'child-v8' && testFile !== undefined) watch(testFile)

function watch(file: string): void {
  leaveNote(file, 'process', String(process.pid))
  let areTestsDone = false
  let timer: NodeJS.Timeout | undefined
  const endIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      leaveNote(file, 'ending', `Its process did not end after its last test. ${whatKeepsProcess()} kept it.`)
      process.exit(STAYED)
    }, ms).unref()
  }
  // Called in a hook, `after` would belong to that hook.
  const afterFile = AsyncResource.bind((hook: () => void) => after(hook))
  // The first hook runs when the tests are done; the hook that it adds is the last one.
  after(() => {
    areTestsDone = true
    endIn(HOOKS_MS)
    afterFile(() => endIn(GRACE_MS))
  })
  process.on('exit', code => {
    if (areTestsDone || code !== 0) return
    leaveNote(file, 'ending', 'Its process ended before its tests did.')
    process.exitCode = LEFT
  })
}
