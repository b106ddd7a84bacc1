/** Why a replica is left out, where the sentence that says it may differ each time. */
export type Cause = 'silent' | 'behind' | 'no_standby' | 'foreign' | 'unknown_lag'

/**
 * Logs when a replica is left out or for another cause, and when it is taken back: at most one line in ten seconds, and at
 * last what holds.
 */
export interface UseLog {
  leftOut(cause: Cause, reason: string): void
  used(): void
  close(): void
}

export interface ReplicaLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

const pause = 10_000

/** `position` names the replica, since its URL has a password. */
export function createUseLog(position: number, log: ReplicaLog): UseLog {
  /** The state that the log shows; null at first. */
  let logged: 'used' | Cause | null = null
  let state: { name: 'used' | Cause; reason?: string } | null = null
  let last = -Infinity
  let timer: NodeJS.Timeout | undefined

  function change(next: NonNullable<typeof state>): void {
    state = next
    if (next.name === logged) return
    const wait = last + pause - performance.now()
    if (wait <= 0) write()
    else timer ??= setTimeout(write, wait).unref()
  }

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    if (!state || state.name === logged) return
    const { name, reason } = state
    const replica = position
    if (name !== 'used') log.warn({ replica, reason }, 'a read replica is left out')
    else if (logged === null) log.info({ replica }, 'a read replica is used')
    else log.warn({ replica }, 'a read replica is used again')
    logged = name
    last = performance.now()
  }

  return {
    leftOut: (name, reason) => change({ name, reason }),
    used: () => change({ name: 'used' }),
    close: () => clearTimeout(timer),
  }
}
