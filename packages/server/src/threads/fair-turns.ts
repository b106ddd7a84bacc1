/** Bounds how much runs at once; what waits is taken from the Workspaces in rotation. */
export interface FairTurns {
  /** Runs work in its turn. Throws the reason of the signal if that comes first. */
  run<T>(workspace_id: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  usage(): { running: number; waiting: number }
}

export function fairTurns(turns: number): FairTurns {
  const queues = new Map<string, Set<() => void>>()
  let running = 0

  /** A Workspace whose turn was taken goes to the end of the rotation. */
  function next(): void {
    const [first] = queues
    if (!first || running >= turns) return
    const [workspace_id, queue] = first
    const [start] = queue
    queues.delete(workspace_id)
    if (!start) return next()
    queue.delete(start)
    if (queue.size > 0) queues.set(workspace_id, queue)
    running++
    start()
  }

  function turn(workspace_id: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(workspace_id) ?? new Set()
      function start(): void {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      function leave(): void {
        queue.delete(start)
        if (queue.size === 0 && queues.get(workspace_id) === queue) queues.delete(workspace_id)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', leave, { once: true })
      queues.set(workspace_id, queue.add(start))
      next()
    })
  }

  return {
    usage: () => ({ running, waiting: queues.values().reduce((sum, queue) => sum + queue.size, 0) }),
    async run(workspace_id, work, signal) {
      signal?.throwIfAborted()
      await turn(workspace_id, signal)
      try {
        return await work()
      } finally {
        running--
        next()
      }
    },
  }
}
