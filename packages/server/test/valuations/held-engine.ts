import { createFairTurns } from '../../src/turns/fair-turns.ts'
import {
  createEngineThreads,
  type EngineThreads,
} from '../../src/valuations/engine-threads/engine-threads.ts'
import { eventually } from '../harness/eventually.ts'

/** The engine with a single turn, which the test can hold for as long as it likes. */
export interface HeldEngine {
  engine: EngineThreads
  /** How many orders were carried out or begun. */
  begun(): number
  /** How many wait for the turn. */
  waiting(): number
  /** Does something before each order is carried out from now on. */
  beforeEach(work: () => Promise<unknown>): void
  /** What `ask` is answered while `meanwhile` happens once the engine has begun its order. */
  whileComputing<Answer>(ask: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer>
}

export function createHeldEngine(): HeldEngine {
  const threads = createEngineThreads()
  const turns = createFairTurns({ total: 1 })
  let begun = 0
  let hold: Promise<void> | undefined
  let first: () => Promise<unknown> = async () => undefined
  return {
    engine: {
      ...threads,
      value: (asked, gone) =>
        turns.run(
          asked.workspace_id,
          async () => {
            begun++
            await hold
            await first()
            return threads.value(asked)
          },
          gone,
        ),
      usage: turns.usage,
    },
    begun: () => begun,
    waiting: () => turns.usage().waiting,
    beforeEach: work => void (first = work),
    async whileComputing(ask, meanwhile) {
      const before = begun
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      hold = promise
      try {
        const answer = ask()
        answer.catch(() => undefined)
        await eventually(async () => (begun > before ? true : undefined))
        hold = undefined
        await meanwhile()
        letGo()
        return await answer
      } finally {
        letGo()
      }
    },
  }
}
