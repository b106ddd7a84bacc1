import { sweepBlobs, type SweepParts, type Swept } from './sweep-blobs.ts'
import { endRound, keepTurn, leaveTurn, takeTurn, turnMinutes, type SweepTurn } from './sweep-turn-store.ts'

/**
 * Sweeps the store of content in rounds, with a pause between them. One node at a time has the turn, as the database keeps it
 * with what the round has reached; a node that takes the turn goes on from there.
 */
export interface BlobSweeper {
  /** Goes through the rest of the round. Null if none is due, or another node has the turn. */
  sweep(): Promise<Swept | null>
  /** Stops a running sweep and waits for it. Another node can go on at once. */
  close(): Promise<void>
}

interface SweeperParts extends SweepParts {
  log: { warn(details: object, message: string): void }
  /** Between two rounds of all nodes. Default: one hour. */
  pauseMilliseconds?: number
  /** How often a node looks whether a round is due. Default: two minutes, or the pause if it is shorter. */
  lookMilliseconds?: number
}

/** So much of a turn that nobody takes it while its node sweeps. */
const safeMilliseconds = turnMinutes * 60_000 * 0.8
const scope = { workspace_id: null, user_id: null }

/** A sweep that fails is logged, and gone on with by whoever looks first once its turn is over. */
export function createBlobSweeper(parts: SweeperParts): BlobSweeper {
  const { writers, log, pauseMilliseconds = 3_600_000 } = parts
  const { lookMilliseconds = Math.min(pauseMilliseconds, 120_000) } = parts
  const closing = new AbortController()
  let running: Promise<Swept | null> | undefined

  async function sweepInTurn(): Promise<Swept | null> {
    const turn = await writers.transaction(scope, takeTurn)
    return turn ? goOn(turn) : null
  }

  async function goOn({ turn_id, position }: SweepTurn): Promise<Swept> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), safeMilliseconds).unref()
    try {
      const swept = await sweepBlobs(parts, undefined, {
        from: position,
        async reached(now) {
          const isOurs = await writers.transaction(scope, tx => keepTurn(tx, turn_id, now))
          timer.refresh()
          return isOurs
        },
        signal: AbortSignal.any([closing.signal, late.signal]),
      })
      await writers.transaction(scope, async tx => endRound(tx, turn_id, pauseMilliseconds))
      return swept
    } catch (error) {
      if (closing.signal.aborted) await writers.transaction(scope, async tx => leaveTurn(tx, turn_id))
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  function sweep(): Promise<Swept | null> {
    running ??= sweepInTurn().finally(() => (running = undefined))
    return running
  }

  const timer = setInterval(() => {
    sweep().catch((error: unknown) => {
      if (closing.signal.aborted) return
      const reason = error instanceof Error ? error.name : 'unknown'
      log.warn({ reason }, 'content that belongs to no File could not be removed')
    })
  }, lookMilliseconds).unref()
  return {
    sweep,
    async close() {
      clearInterval(timer)
      closing.abort()
      await running?.catch(() => undefined)
    },
  }
}
