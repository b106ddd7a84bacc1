import { sweepBlobs, type SweepParts, type Swept } from './sweep-blobs.ts'

/** Sweeps the store of content at an interval. */
export interface BlobSweeper {
  /** Sweeps now. */
  sweep(): Promise<Swept>
  /** Stops a running sweep and waits for it. */
  close(): Promise<void>
}

interface SweeperParts extends SweepParts {
  log: { warn(details: object, message: string): void }
  /** Default: one hour. */
  pauseMilliseconds?: number
}

/** A failed sweep is logged; the next one makes up for it. */
export function createBlobSweeper(parts: SweeperParts): BlobSweeper {
  const { log, pauseMilliseconds = 3_600_000 } = parts
  const closing = new AbortController()
  let running: Promise<Swept> | undefined

  function sweep(): Promise<Swept> {
    running ??= sweepBlobs(parts, undefined, closing.signal).finally(() => (running = undefined))
    return running
  }

  const timer = setInterval(() => {
    sweep().catch((error: unknown) => {
      if (closing.signal.aborted) return
      const reason = error instanceof Error ? error.name : 'unknown'
      log.warn({ reason }, 'content that belongs to no File could not be removed')
    })
  }, pauseMilliseconds).unref()
  return {
    sweep,
    async close() {
      clearInterval(timer)
      closing.abort()
      await running?.catch(() => undefined)
    },
  }
}
