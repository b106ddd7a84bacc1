import { unavailable } from '../../call/problem.ts'

/** Bounds how many senders are identified at once: an issuer or the database may be slow to answer. */
export interface Identifying {
  /** Throws unavailable where there are too many already. */
  bounded<T>(work: () => Promise<T>): Promise<T>
  count(): number
}

export function createIdentifying(most: number): Identifying {
  let underWay = 0
  return {
    async bounded(work) {
      if (underWay >= most) throw unavailable('Too many requests are in progress. Try again.')
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
