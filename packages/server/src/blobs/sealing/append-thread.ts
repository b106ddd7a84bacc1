import { Worker } from 'node:worker_threads'
import type { AppendAnswer, AppendOrder, AppendOutcome, AppendRequest } from './append-worker.ts'

/** A thread that appends parts to files. It starts when it is needed. */
export interface AppendThread {
  /** Never rejects: an error is an outcome. */
  ask(order: AppendOrder): Promise<AppendOutcome>
  /** Ends the thread. What it still does fails. */
  end(): Promise<void>
}

export function appendThread(): AppendThread {
  const waiting = new Map<number, (outcome: AppendOutcome) => void>()
  let worker: Worker | null = null
  let last = 0
  let ended = false

  function start(): Worker {
    const started = new Worker(new URL('./append-worker.ts', import.meta.url), { name: 'append' })
    started.on('message', ({ number, ...outcome }: AppendAnswer) => answer(number, outcome))
    started.once('error', () => undefined)
    started.once('exit', () => {
      worker = null
      for (const number of waiting.keys()) answer(number, { error: new Error('The thread ended.') })
    })
    return started
  }

  function answer(number: number, outcome: AppendOutcome): void {
    waiting.get(number)?.(outcome)
    waiting.delete(number)
    if (waiting.size === 0) worker?.unref()
  }

  return {
    ask(order) {
      if (ended) return Promise.resolve({ error: new Error('The store is closed.') })
      worker ??= start()
      worker.ref()
      const number = ++last
      const { promise, resolve } = Promise.withResolvers<AppendOutcome>()
      waiting.set(number, resolve)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
      worker.postMessage({ ...order, number } satisfies AppendRequest)
      return promise
    },
    async end() {
      ended = true
      await worker?.terminate()
    },
  }
}
