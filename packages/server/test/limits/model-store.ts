import type { BucketStore, TokenGrant, Limit } from '../../src/limits/buckets.ts'

/** A model of the statement in bucket-store.ts, with a clock of the test. */
export function modelBucket(clock: () => number) {
  let tokens: number | null = null
  let refilledAt = 0
  return {
    take({ quota, window }: Limit, needed: number, spare: number): TokenGrant {
      const now = clock()
      const available =
        tokens === null ? quota : Math.min(quota, tokens + ((now - refilledAt) * quota) / window / 1000)
      const granted = Math.min(Math.floor(available), needed + Math.min(spare, Math.floor(available / 10)))
      tokens = available - granted
      refilledAt = now
      return { granted, left: tokens }
    },
  }
}

/** A store whose messages are delivered when a test says so, in both directions. */
export interface SlowStore extends BucketStore {
  /** Delivers the next message and acts on it; gives the tokens that were granted and those that were needed. */
  arrive(): number
  /** Delivers the next answer; gives the same. */
  answer(): Promise<number>
}

export function slowStore(clock: () => number): SlowStore {
  const bucket = modelBucket(clock)
  const questions: { ask(): TokenGrant; needed: number; resolve(taking: TokenGrant): void }[] = []
  const answers: { letIn: number; tell(): void }[] = []
  return {
    take(_name, limit, needed, spare) {
      const { promise, resolve } = Promise.withResolvers<TokenGrant>()
      questions.push({ ask: () => bucket.take(limit, needed, spare), needed, resolve })
      return promise
    },
    arrive() {
      const question = questions.shift()
      if (!question) return 0
      const taking = question.ask()
      const letIn = Math.min(taking.granted, question.needed)
      answers.push({ letIn, tell: () => question.resolve(taking) })
      return letIn
    },
    async answer() {
      const next = answers.shift()
      next?.tell()
      await new Promise(resolve => setImmediate(resolve))
      return next?.letIn ?? 0
    },
    forgetFull: async () => {},
  }
}
