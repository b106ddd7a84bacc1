import type { Attributes, Histogram } from '@opentelemetry/api'
import { endFailed, startWaitSpan } from '../telemetry/spans.ts'

/** Ends a turn. Calling it again does nothing. */
export type EndTurn = () => void

/**
 * Fair queueing of a limited number of turns among shares. A share that runs as many as it may waits in a queue of its
 * own, and a free turn goes to the waiting share that runs the fewest, round-robin among equals. However much one share
 * asks for, another waits for one turn of each share and not for the whole queue. While shares compete, each may run
 * fewer at once, because turns also compete for processors.
 */
export interface FairTurns {
  /**
   * Waits for a turn. Throws TooManyWaiting if the queue of the share is full, `timeoutError` after the timeout, and the reason of
   * the signal.
   */
  take(whose: string, timeoutMilliseconds?: number, signal?: AbortSignal): Promise<EndTurn>
  /** Runs work in a turn. Throws as `take` does. */
  run<T>(whose: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  usage(): { running: number; waiting: number }
  /** Rejects everybody who waits or comes later. Turns that run go on. */
  close(): void
}

export interface TurnBounds {
  total: number
  /** Default: all. */
  perShare?: number
  /** The same while other parties ask for turns. Default: no fewer. */
  perShareWhenContended?: number
  /** How many may wait in the queue of one share. Default: any number. */
  queuePerShare?: number
  /** Default: whoever waits has all the time. */
  timeoutMilliseconds?: number
  timeoutError?(): Error
  /** Shares of the same party do not compete. Null for a share that is never reduced. Default: each is a party of its own. */
  partyOf?(whose: string): string | null
  metrics?: TurnMetrics | undefined
}

/** Measures the waits, which are most often none. */
export interface TurnMetrics {
  waits: Pick<Histogram, 'record'>
  attributes: Attributes
  refused(error: unknown): void
}

/** The queue of a share is full. */
export class TooManyWaiting extends Error {}

interface Waiter {
  begin(end: EndTurn): void
  giveUp(error: Error): void
}

/** The turns and the queue of one share. An idle share is forgotten. */
interface ShareState {
  running: number
  queue: Waiter[]
}

/** How long a party counts as competing after its last request. */
const askedLatelyMilliseconds = 1000

const closedError = () => new Error('No turns are given any more.')

export function createFairTurns(
  {
    total,
    perShare = total,
    perShareWhenContended = perShare,
    queuePerShare = Infinity,
    timeoutMilliseconds: usualTimeout,
    timeoutError = closedError,
    partyOf = whose => whose,
    metrics,
  }: TurnBounds,
  // Without a function of its own around it, which would run for each turn.
  clock: () => number = performance.now.bind(performance),
): FairTurns {
  // Ordered by their last turn, so that iteration is round-robin; a new share is last.
  const shares = new Map<string, ShareState>()
  let running = 0
  let waiting = 0
  let closed = false
  // The last two parties that asked suffice to tell whether others compete: one of them is somebody else.
  let last = { party: '' as string | null, at: -Infinity }
  let before = last

  function noteAsker(party: string | null): void {
    if (party !== last.party) before = last
    last = { party, at: clock() }
  }

  function mayBegin(whose: string, share: ShareState): boolean {
    if (running >= total || share.running >= perShare) return false
    return share.running < perShareWhenContended || !isBesideOthers(whose, share)
  }

  function isBesideOthers(whose: string, share: ShareState): boolean {
    const party = partyOf(whose)
    if (party === null) return false
    const other = last.party === party ? before : last
    return waiting > share.queue.length || clock() - other.at < askedLatelyMilliseconds
  }

  function begin(whose: string, share: ShareState): EndTurn {
    running++
    share.running++
    shares.delete(whose)
    shares.set(whose, share)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      running--
      share.running--
      forgetIfIdle(whose, share)
      if (waiting > 0) giveOut()
    }
  }

  function forgetIfIdle(whose: string, share: ShareState): void {
    if (share.running === 0 && share.queue.length === 0 && shares.get(whose) === share) shares.delete(whose)
  }

  function giveOut(): void {
    while (waiting > 0) {
      const next = fewestTurns(
        [...shares].filter(([whose, share]) => share.queue.length > 0 && mayBegin(whose, share)),
      )
      if (!next) return
      const [whose, share] = next
      const waiter = share.queue.shift() as Waiter
      waiting--
      waiter.begin(begin(whose, share))
    }
  }

  function wait(
    whose: string,
    share: ShareState,
    timeoutMilliseconds: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EndTurn> {
    if (share.queue.length >= queuePerShare) throw new TooManyWaiting('Too many already wait for a turn.')
    const span = startWaitSpan('wait for a turn')
    const { promise, resolve, reject } = Promise.withResolvers<EndTurn>()
    const stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const waiter: Waiter = {
      begin(end) {
        stopWaiting()
        span?.end()
        resolve(end)
      },
      giveUp(error) {
        stopWaiting()
        if (span) endFailed(span, 'no turn in time')
        share.queue.splice(share.queue.indexOf(waiter), 1)
        waiting--
        forgetIfIdle(whose, share)
        reject(error)
      },
    }
    const leave = () => waiter.giveUp(signal?.reason as Error)
    const timer =
      timeoutMilliseconds === undefined
        ? undefined
        : setTimeout(() => waiter.giveUp(timeoutError()), timeoutMilliseconds)
    signal?.addEventListener('abort', leave, { once: true })
    share.queue.push(waiter)
    waiting++
    return promise
  }

  async function take(
    whose: string,
    timeoutMilliseconds = usualTimeout,
    signal?: AbortSignal,
  ): Promise<EndTurn> {
    signal?.throwIfAborted()
    if (closed) throw timeoutError()
    const share = shares.get(whose) ?? { running: 0, queue: [] }
    shares.set(whose, share)
    noteAsker(partyOf(whose))
    const begun = clock()
    if (share.queue.length === 0 && mayBegin(whose, share)) {
      metrics?.waits.record(0, metrics.attributes)
      return begin(whose, share)
    }
    try {
      const end = await wait(whose, share, timeoutMilliseconds, signal)
      metrics?.waits.record((clock() - begun) / 1000, metrics.attributes)
      return end
    } catch (error) {
      metrics?.refused(error)
      throw error
    }
  }

  return {
    take,
    async run(whose, work, signal) {
      const endTurn = await take(whose, undefined, signal)
      try {
        return await work()
      } finally {
        endTurn()
      }
    },
    usage: () => ({ running, waiting }),
    close() {
      closed = true
      for (const waiter of [...shares.values()].flatMap(({ queue }) => queue)) waiter.giveUp(timeoutError())
    },
  }
}

const fewestTurns = (shares: [string, ShareState][]): [string, ShareState] | undefined =>
  shares.reduce<[string, ShareState] | undefined>(
    (best, share) => (!best || share[1].running < best[1].running ? share : best),
    undefined,
  )
