import { inProgress } from './claim-key.ts'

/**
 * Duplicates of one command that meet in one process: the later ones wait here, where waiting costs no database
 * connection, and then find the first one's answer. Throws idempotency_in_progress after the patience is over.
 */
export function createInFlight(patienceMilliseconds = 2000) {
  const underWay = new Map<string, Promise<unknown>>()

  return async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const first = underWay.get(key)
    if (first) {
      await endOf(first, patienceMilliseconds)
      return work()
    }
    const mine = work()
    underWay.set(key, mine)
    try {
      return await mine
    } finally {
      underWay.delete(key)
    }
  }
}

async function endOf(work: Promise<unknown>, patienceMilliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(inProgress()), patienceMilliseconds)
  })
  try {
    await Promise.race([work.catch(() => undefined), tooLong])
  } finally {
    clearTimeout(timer)
  }
}
