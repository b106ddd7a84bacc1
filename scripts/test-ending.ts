import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'
import { isGroup } from './test-run/groups/group.ts'
import { hooksAreDone, testsAreDone, watchProcess } from './test-run/process-end.ts'

/**
 * Loaded into the process of each test file or group of files, before the files. Fails one whose process does not end after
 * its last test, because a socket, timer or listener is still open, and one whose process ends before its tests.
 */
const [, testFile] = process.argv
// Processes that a test starts inherit the environment, and worker threads inherit this module; neither is a test file.
if (isMainThread && process.env['NODE_TEST_CONTEXT'] === 'child-v8' && testFile !== undefined) {
  watchProcess(testFile)
  // A group says itself when its last file has ended: Node runs the hooks of a process after the first one.
  if (!isGroup(testFile)) watchHooks()
}

/** The first hook runs when the tests are done; the hook that it adds is the last one. */
function watchHooks(): void {
  // Called in a hook, `after` would belong to that hook.
  const afterFile = AsyncResource.bind((hook: () => void) => after(hook))
  after(() => {
    testsAreDone()
    afterFile(hooksAreDone)
  })
}
