import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'
import { whatKeepsProcess } from './test-run/kept.ts'
import { leaveNote } from './test-run/notes.ts'

/**
 * Loaded before each test file, in its process: fails a file that does not end by itself after its last test, which
 * is how a socket, a timer or a listener that nobody closes is found, and one that ends before its tests have.
 */
const STAYED = 97
const LEFT = 98
/** How long a process may take to end once its last hook is done; hooks of the file itself get longer. */
const GRACE_MS = Number(process.env['WBS_TEST_GRACE_MS'] ?? 10_000)
const HOOKS_MS = 60_000 + GRACE_MS

const [, testFile] = process.argv
// A process that a test starts inherits the environment, and a worker thread this module: neither is a test file.
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
  // Called from within a hook, `after` would belong to that hook.
  const afterFile = AsyncResource.bind((hook: () => void) => after(hook))
  // The first hook of all runs when the tests are done; the one that it adds is the last.
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
