/** Lets work of one key run one after the other, and that of different keys at once. */
export interface Queues {
  /** Runs the work after all that was given before for its key. Null, without running it, if too many are in its queue. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null
}

/** `most` are in the queue of a key, with the one that runs. */
export function createQueues(most: number): Queues {
  const queues = new Map<string, { end: Promise<unknown>; length: number }>()
  return {
    run(key, work) {
      const queue = queues.get(key) ?? { end: Promise.resolve(), length: 0 }
      if (queue.length >= most) return null
      queues.set(key, queue)
      queue.length++
      const done = queue.end.then(work).finally(() => {
        if (--queue.length === 0) queues.delete(key)
      })
      queue.end = done.catch(() => undefined)
      return done
    },
  }
}
