import { availableParallelism } from 'node:os'
import { createThreads } from '../../threads/threads.ts'
import type { Compared, Comparison } from '../engine/comparing/compare.ts'
import {
  type EngineOrder,
  type EngineOutcome,
  sentResolved,
  type ValueInTurn,
  type ValueOutcome,
} from './engine-order.ts'

/**
 * The engine in threads of its own: a large document takes tens of milliseconds, in which the service answers others. A document
 * that needs too much memory or time ends its thread and not the service.
 */
export interface EngineThreads {
  value: ValueInTurn
  /** Compares two valuations in the turn of the Workspace. It is dropped as `value` is. */
  compare(workspace_id: string, before: Compared, after: Compared, gone?: AbortSignal): Promise<Comparison>
  /** How many orders are carried out, and how many wait for a thread. */
  usage(): { running: number; waiting: number }
  close(): Promise<void>
}

/** A thread keeps the compiled engine, so it lives for a while. */
const idleMilliseconds = 300_000

export function createEngineThreads(): EngineThreads {
  const threads = createThreads<EngineOrder, EngineOutcome>({
    module: new URL('./engine-worker.ts', import.meta.url),
    name: 'valuations',
    // One processor is left to the rest of the service.
    most: Math.max(1, Math.min(4, availableParallelism() - 1)),
    idleMilliseconds,
    longestMilliseconds: 10_000,
    limits: { maxOldGenerationSizeMb: 256 },
  })

  return {
    async value({ workspace_id, document, resolved, ...asked }, gone) {
      const order = {
        value: { ...asked, document: JSON.stringify(document), resolved: sentResolved(resolved) },
      }
      return ((await threads.carryOut(workspace_id, order, gone)) as { value: ValueOutcome }).value
    },
    async compare(workspace_id, before, after, gone) {
      const sent = (compared: Compared) => ({ ...compared, resolved: sentResolved(compared.resolved) })
      const order = { compare: { before: sent(before), after: sent(after) } }
      return ((await threads.carryOut(workspace_id, order, gone)) as { compare: Comparison }).compare
    },
    usage: () => threads.usage(),
    close: () => threads.close(),
  }
}
