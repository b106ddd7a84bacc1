import { availableParallelism } from 'node:os'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest } from './answer-orders.ts'
import { createFairTurns } from '../turns/fair-turns.ts'

/** Threads that carry out orders, so that long work does not block the event loop. */
export interface Threads<Order, Outcome> {
  /** Carries out an order when it is the turn of the Workspace. Throws what the work throws, and the reason of the signal. */
  carryOut(workspace_id: string, order: Order, signal?: AbortSignal): Promise<Outcome>
  /** How many orders are carried out, and how many wait for a thread. */
  usage(): { running: number; waiting: number }
  /** Ends all threads. What they still do fails. */
  close(): Promise<void>
}

export interface ThreadSettings {
  /** The module that a thread runs. It calls `answerOrders`. */
  module: URL
  /** What the threads do, for the names of threads and for errors. */
  name: string
  /** How many there are at most. By default two, or one on a single processor. */
  most?: number
  /** How long a thread without work lives. */
  idleMilliseconds: number
  /** How long an order may take, in milliseconds. Then its thread is ended. Without a limit by default. */
  longestMilliseconds?: number
  limits?: ResourceLimits
}

/** Starts threads when they are needed, and ends each after a while without work. */
export function createThreads<Order, Outcome>({
  module,
  name,
  most = Math.min(2, availableParallelism()),
  idleMilliseconds,
  longestMilliseconds,
  limits,
}: ThreadSettings): Threads<Order, Outcome> {
  const turns = createFairTurns({ total: most })
  const idle = new Map<Worker, NodeJS.Timeout>()
  const all = new Set<Worker>()
  let closed = false

  function take(): Worker {
    const found = [...idle].at(-1)
    if (!found) return start()
    const [worker, timer] = found
    clearTimeout(timer)
    idle.delete(worker)
    worker.ref()
    return worker
  }

  function start(): Worker {
    const worker = new Worker(module, { name, ...(limits && { resourceLimits: limits }) })
    all.add(worker)
    // After an error it still exists for a moment, and takes no order.
    worker.once('error', () => forget(worker)).once('exit', () => forget(worker))
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
    const end = () => {
      idle.delete(worker)
      void worker.terminate()
    }
    idle.set(worker, setTimeout(end, idleMilliseconds).unref())
  }

  /** A thread carries out one order at a time. */
  function ask(worker: Worker, order: Order, signal?: AbortSignal): Promise<Outcome> {
    const canceled = new Int32Array(new SharedArrayBuffer(4))
    const cancel = () => void Atomics.store(canceled, 0, 1)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    function answered(answer: ThreadAnswer<Outcome>): void {
      if ('outcome' in answer) resolve(answer.outcome)
      else if (signal?.aborted) reject(signal.reason as Error)
      else reject(Object.assign(answer.error, { code: answer.code }))
    }
    const ended = () => reject(new Error(`A thread of ${name} ended.`))
    const tooLong = longestMilliseconds && setTimeout(() => void worker.terminate(), longestMilliseconds)
    worker.on('message', answered).on('error', reject).on('exit', ended)
    signal?.addEventListener('abort', cancel, { once: true })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
    worker.postMessage({ order, canceled } satisfies ThreadRequest<Order>)
    return promise.finally(() => {
      clearTimeout(tooLong)
      worker.off('message', answered).off('error', reject).off('exit', ended)
      signal?.removeEventListener('abort', cancel)
    })
  }

  return {
    carryOut: (workspace_id, order, signal) =>
      turns.run(
        workspace_id,
        async () => {
          if (closed) throw new Error(`The threads of ${name} are closed.`)
          const worker = take()
          try {
            return await ask(worker, order, signal)
          } finally {
            giveBack(worker)
          }
        },
        signal,
      ),
    usage: turns.usage,
    async close() {
      closed = true
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}
