import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { fairTurns } from './fair-turns.ts'
import type { SealOrder, SealOutcome } from './seal-files.ts'
import type { SealAnswer, SealRequest } from './seal-worker.ts'

/** Threads that seal uploads, so that hashing gigabytes does not block the event loop. */
export interface SealWorkers {
  /** Seals an upload in its turn. Throws the faults of the disk, and the reason of the signal. */
  seal(workspace_id: string, order: SealOrder, signal?: AbortSignal): Promise<SealOutcome>
  /** Ends all threads. What they still do fails. */
  close(): Promise<void>
}

const idleMilliseconds = 30_000

/** Starts threads when they are needed, two at most, and ends each after half a minute without work. */
export function sealWorkers(most = Math.min(2, availableParallelism())): SealWorkers {
  const turns = fairTurns(most)
  const idle = new Map<Worker, NodeJS.Timeout>()
  const all = new Set<Worker>()
  let closed = false

  function take(): Worker {
    const [found] = idle
    if (!found) return start()
    const [worker, timer] = found
    clearTimeout(timer)
    idle.delete(worker)
    worker.ref()
    return worker
  }

  function start(): Worker {
    const worker = new Worker(new URL('./seal-worker.ts', import.meta.url), { name: 'seal' })
    all.add(worker)
    worker.once('exit', () => forget(worker))
    return worker
  }

  function forget(worker: Worker): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    all.delete(worker)
  }

  function giveBack(worker: Worker): void {
    if (!all.has(worker)) return
    worker.unref()
    idle.set(worker, setTimeout(() => void worker.terminate(), idleMilliseconds).unref())
  }

  return {
    seal: (workspace_id, order, signal) =>
      turns.run(
        workspace_id,
        async () => {
          if (closed) throw new Error('The store is closed.')
          const worker = take()
          try {
            return await ask(worker, order, signal)
          } finally {
            giveBack(worker)
          }
        },
        signal,
      ),
    async close() {
      closed = true
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}

/** A thread answers one request at a time. */
function ask(worker: Worker, order: SealOrder, signal?: AbortSignal): Promise<SealOutcome> {
  const canceled = new Int32Array(new SharedArrayBuffer(4))
  const cancel = () => void Atomics.store(canceled, 0, 1)
  const { promise, resolve, reject } = Promise.withResolvers<SealOutcome>()
  function answered(answer: SealAnswer): void {
    if (!('error' in answer)) resolve(answer)
    else if (signal?.aborted) reject(signal.reason as Error)
    else reject(Object.assign(answer.error, { code: answer.code }))
  }
  const ended = () => reject(new Error('The thread that seals an upload ended.'))
  worker.on('message', answered).on('error', reject).on('exit', ended)
  signal?.addEventListener('abort', cancel, { once: true })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
  worker.postMessage({ ...order, canceled } satisfies SealRequest)
  return promise.finally(() => {
    worker.off('message', answered).off('error', reject).off('exit', ended)
    signal?.removeEventListener('abort', cancel)
  })
}
