import { parentPort } from 'node:worker_threads'
import { openSeals, type OpenSeals } from './open-seals.ts'
import type { SealedPart } from './seal-files.ts'
import type { StoredContent } from '../blob-store.ts'

/** What to do with the file `into`: append a part, finish it, or remove it. */
export type AppendOrder = { into: string } & ({ append: SealedPart } | { finish: true } | { drop: true })

export type AppendOutcome = { done: boolean; content?: StoredContent } | { error: Error }

/** The thread answers requests by their number, because some wait for the disk and others need not. */
export type AppendRequest = AppendOrder & { number: number }
export type AppendAnswer = AppendOutcome & { number: number }

const seals = openSeals()

parentPort?.on('message', ({ number, ...order }: AppendRequest) => {
  void outcomeOf(seals, order).then(outcome =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
    parentPort?.postMessage({ ...outcome, number } satisfies AppendAnswer),
  )
})

async function outcomeOf(opened: OpenSeals, order: AppendOrder): Promise<AppendOutcome> {
  try {
    if ('append' in order) return { done: opened.append(order.into, order.append) }
    if ('finish' in order) return { done: true, content: await opened.finish(order.into) }
    await opened.drop(order.into)
    return { done: true }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }
}
