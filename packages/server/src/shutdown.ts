/**
 * The parts of a node, in the order in which they are closed. A part uses only parts of later lines, so these outlive it. The
 * parts of one line are closed at the same time.
 */
const order = [
  // Nothing new begins. What runs comes to its end, or is given back when the time is over.
  ['requests', 'jobs', 'intervals'],
  // The threads and processes that requests and jobs use, and what requests have left to be written.
  ['engine', 'inspector', 'blobs', 'key_uses'],
  // Jobs are sent and settled by a connection of their own.
  ['database', 'jobs_connection'],
  ['data_folder_lock'],
  ['database_server'],
  // What happened until here is still traced and counted.
  ['tracing'],
  ['metrics_server'],
  ['metrics'],
] as const

/** A part of a node that has to be closed. */
export type NodePart = (typeof order)[number][number]

/** Closes the parts of a node in order. */
export interface Shutdown extends AsyncDisposable {
  /** Adds a part that is open. When the signal is aborted, requests and jobs that still run are waited for no longer. */
  add(part: NodePart, close: (timeIsOver: AbortSignal) => unknown): void
  /** Closes everything, once. A part that cannot be closed does not keep others open; its error is thrown at the end. */
  close(): Promise<void>
}

/**
 * How long requests and jobs have to come to their end, in milliseconds: as long as an action of an app may take, and its result
 * to be saved. It leaves the rest of the node a few of the 20 seconds that it has.
 */
const timeToEnd = 16_500

export function createShutdown(): Shutdown {
  const closers: { part: NodePart; close: (timeIsOver: AbortSignal) => unknown }[] = []
  let closing: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    const time = new AbortController()
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    time.signal.addEventListener('abort', () => resolve())
    const timer = setTimeout(() => time.abort(), timeToEnd)
    const errors: unknown[] = []
    for (const [line, parts] of order.entries()) {
      const closed = closers
        .filter(({ part }) => parts.some(known => known === part))
        .map(async ({ close }) => {
          await Promise.race([close(time.signal), ...(line === 0 ? [isOver] : [])])
        })
      for (const result of await Promise.allSettled(closed))
        if (result.status === 'rejected') errors.push(result.reason)
      clearTimeout(timer)
    }
    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) throw new AggregateError(errors, 'Parts of the node could not be closed.')
  }

  const close = () => (closing ??= closeAll())
  return {
    add: (part, closePart) => void closers.push({ part, close: closePart }),
    close,
    [Symbol.asyncDispose]: close,
  }
}
