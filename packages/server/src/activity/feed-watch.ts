import { setTimeout as sleep } from 'node:timers/promises'
import type { Reader } from '../database/statement.ts'
import { positionsOf } from './feed-watch-store.ts'

/** Wakes those who wait for something to happen in a Workspace. */
export interface FeedWatch {
  /** Resolves when the feed of a Workspace has gone past a position, when the time is up, or when it is over. */
  past(workspace_id: string, position: string | null, milliseconds: number, over: AbortSignal): Promise<void>
}

interface Waiter {
  position: bigint
  wake(): void
}

/**
 * How long until it looks again, in milliseconds, for so many who wait: each of them that is woken costs the database some
 * questions, and those who write must have their turn.
 */
const pauseFor = (waiters: number) => Math.min(5000, 100 + waiters)

/**
 * Looks at the feeds of exactly the Workspaces that somebody waits for, with one statement for all of them, and only while
 * somebody waits. Where the database does not answer it goes on looking: who waits has a time of their own.
 */
export function createFeedWatch(
  reader: Reader,
  log: { warn(details: object, message: string): void },
): FeedWatch {
  const waiting = new Map<string, Set<Waiter>>()
  let looking = false
  let count = 0

  async function look(): Promise<void> {
    const rows = await positionsOf(reader, [...waiting.keys()])
    for (const { workspace_id, last_position } of rows)
      for (const waiter of waiting.get(workspace_id) ?? [])
        if (BigInt(last_position) > waiter.position) waiter.wake()
  }

  async function keepLooking(): Promise<void> {
    looking = true
    while (waiting.size > 0) {
      await sleep(pauseFor(count))
      if (waiting.size === 0) break
      await look().catch((error: unknown) =>
        log.warn(
          { reason: error instanceof Error ? error.name : typeof error },
          'the feeds cannot be looked at',
        ),
      )
    }
    looking = false
  }

  function add(workspace_id: string, waiter: Waiter): void {
    count++
    const others = waiting.get(workspace_id)
    if (others) others.add(waiter)
    else waiting.set(workspace_id, new Set([waiter]))
    if (!looking) void keepLooking()
  }

  function remove(workspace_id: string, waiter: Waiter): void {
    const others = waiting.get(workspace_id)
    if (!others?.delete(waiter)) return
    count--
    if (others.size === 0) waiting.delete(workspace_id)
  }

  return {
    past(workspace_id, position, milliseconds, over) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { position: BigInt(position ?? 0), wake: resolve }
      const timer = setTimeout(resolve, milliseconds)
      over.addEventListener('abort', waiter.wake)
      if (over.aborted) resolve()
      else add(workspace_id, waiter)
      return promise.finally(() => {
        clearTimeout(timer)
        over.removeEventListener('abort', waiter.wake)
        remove(workspace_id, waiter)
      })
    },
  }
}
