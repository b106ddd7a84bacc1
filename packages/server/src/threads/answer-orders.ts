import { parentPort } from 'node:worker_threads'

/** What a thread is sent. The first element of `canceled` becomes 1 when the outcome is no longer wanted. */
export interface ThreadRequest<Order> {
  order: Order
  canceled: Int32Array
}

/** What a thread answers. The code of an error does not survive between threads, so it is sent separately. */
export type ThreadAnswer<Outcome> = { outcome: Outcome } | { error: Error; code: string | undefined }

/** Makes this thread carry out orders. `requireWanted` throws once the outcome is no longer wanted. */
export function answerOrders(carryOut: (order: never, requireWanted: () => void) => unknown): void {
  function answerTo({ order, canceled }: ThreadRequest<never>): ThreadAnswer<unknown> {
    try {
      const outcome = carryOut(order, () => {
        if (Atomics.load(canceled, 0) === 1) throw new Error('The order was canceled.')
      })
      return { outcome }
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      return { error, code: (error as { code?: string }).code }
    }
  }

  parentPort?.on('message', (request: ThreadRequest<never>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
    parentPort?.postMessage(answerTo(request))
  })
}
