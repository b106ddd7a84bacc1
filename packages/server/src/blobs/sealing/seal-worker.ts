import { parentPort } from 'node:worker_threads'
import { sealFiles, type SealOrder, type SealOutcome } from './seal-files.ts'

/** What a worker is sent. Its first element becomes 1 when the result is no longer wanted. */
export interface SealRequest extends SealOrder {
  canceled: Int32Array
}

/** What a worker answers. The code of an error does not survive between threads, so it is sent separately. */
export type SealAnswer = SealOutcome | { error: Error; code: string | undefined }

parentPort?.on('message', ({ canceled, ...order }: SealRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
  parentPort?.postMessage(answerTo(order, canceled))
})

function answerTo(order: SealOrder, canceled: Int32Array): SealAnswer {
  try {
    return sealFiles(order, () => {
      if (Atomics.load(canceled, 0) === 1) throw new Error('The sealing was canceled.')
    })
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { error, code: (error as { code?: string }).code }
  }
}
