import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestService } from '../../harness/service.ts'

/** What a process is told that carries out approvals. */
export interface WorkerOrder {
  address: TestService['testDatabase']['address']
  /** Where the app of the test is. */
  app_url: string
}

/** Attempts count as lost soon, and are repeated soon. */
export const paceOfWorkers = { poll: 0.5, firstPause: 1, supervise: 1, attempt: 3 }

/** Starts a process that carries out approvals until it is killed. */
export async function startWorker(order: WorkerOrder): Promise<{ kill(): Promise<void> }> {
  const file = new URL('worker-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [file, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('A worker did not start.'))),
  ])
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
