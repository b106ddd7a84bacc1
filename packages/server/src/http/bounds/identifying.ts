import { nodeFull } from './too-many.ts'

/** Limits how many senders are identified at once, because an issuer or the database may be slow to answer. */
export interface Identifying {
  /** Throws unavailable at the limit. */
  bounded<T>(work: () => Promise<T>): Promise<T>
  count(): number
}

export function createIdentifying(most: number): Identifying {
  let underWay = 0
  return {
    async bounded(work) {
      if (underWay >= most) throw nodeFull('Too many requests are in progress. Try again.')
      underWay++
      try {
        return await work()
      } finally {
        underWay--
      }
    },
    count: () => underWay,
  }
}
