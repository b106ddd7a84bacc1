import { TooManyWaiting } from '../faults.ts'
import { endFailed, startWaitSpan } from '../../telemetry/spans.ts'
import { anonymousShare, partyOf } from './share.ts'

/** Ends a turn. Calling it again does nothing. */
export type EndTurn = () => void

/**
 * Fair queueing of a limited number of turns among shares. A share that runs as many as it may waits in a queue of its
 * own, and a free turn goes to the waiting share that runs the fewest, round-robin among equals. However much one share
 * asks for, another waits for one turn of each share and not for the whole queue. While shares compete, each may run
 * fewer at once, because turns also compete for processors.
 */
export interface FairTurns {
  /** Waits for a turn. Throws TooManyWaiting if the queue of the share is full, and `timeoutError` after the timeout. */
  take(whose: string, timeoutMilliseconds?: number): Promise<EndTurn>
  usage(): { running: number; waiting: number }
  /** Rejects everybody who waits or comes later. Turns that run go on. */
  close(): void
}

export interface TurnBounds {
  total: number
  perShare: number
  /** The same while other shares ask for turns. */
  perShareWhenContended: number
  /** How many may wait in the queue of one share. */
  queuePerShare: number
  timeoutMilliseconds: number
  timeoutError(): Error
}

interface Waiter {
  begin(end: EndTurn): void
  giveUp(): void
  timer: NodeJS.Timeout
}

/** The turns and the queue of one share. An idle share is forgotten. */
interface ShareState {
  running: number
  queue: Waiter[]
}

/** How long a share counts as competing after its last request. */
const askedLatelyMilliseconds = 1000

export function createFairTurns(bounds: TurnBounds, clock = () => performance.now()): FairTurns {
  // Ordered by their last turn, so that iteration is round-robin; a new share is last.
  const shares = new Map<string, ShareState>()
  let running = 0
  let waiting = 0
  let closed = false

  const askers = recentAskers(clock)

  const mayBegin = (whose: string, share: ShareState): boolean =>
    running < bounds.total &&
    share.running < (isBesideOthers(whose, share) ? bounds.perShareWhenContended : bounds.perShare)

  const isBesideOthers = (whose: string, share: ShareState): boolean =>
    whose !== anonymousShare && (askers.includeOthersThan(whose) || waiting > share.queue.length)

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
      giveOut()
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
      clearTimeout(waiter.timer)
      waiting--
      waiter.begin(begin(whose, share))
    }
  }

  function wait(whose: string, share: ShareState, timeoutMilliseconds: number): Promise<EndTurn> {
    if (share.queue.length >= bounds.queuePerShare)
      throw new TooManyWaiting('Too many already wait for a turn.')
    const span = startWaitSpan('wait for a turn')
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        if (span) endFailed(span, 'no turn in time')
        share.queue.splice(share.queue.indexOf(waiter), 1)
        waiting--
        forgetIfIdle(whose, share)
        reject(bounds.timeoutError())
      }
      const timer = setTimeout(giveUp, timeoutMilliseconds)
      const begin = (end: EndTurn) => {
        span?.end()
        resolve(end)
      }
      const waiter: Waiter = { begin, giveUp, timer }
      share.queue.push(waiter)
      waiting++
    })
  }

  return {
    async take(whose, timeoutMilliseconds = bounds.timeoutMilliseconds) {
      if (closed) throw bounds.timeoutError()
      const share = shares.get(whose) ?? { running: 0, queue: [] }
      shares.set(whose, share)
      askers.note(whose)
      return mayBegin(whose, share) && share.queue.length === 0
        ? begin(whose, share)
        : wait(whose, share, timeoutMilliseconds)
    },
    usage: () => ({ running, waiting }),
    close() {
      closed = true
      const all = [...shares.values()].flatMap(({ queue }) => queue)
      for (const { giveUp, timer } of all) {
        clearTimeout(timer)
        giveUp()
      }
    },
  }
}

/**
 * Tells whether others have asked within the last second. The last two who asked suffice: at least one of them is
 * somebody else.
 */
function recentAskers(clock: () => number) {
  let last = { party: '', at: -Infinity }
  let before = last
  return {
    note(whose: string) {
      const party = partyOf(whose)
      if (party !== last.party) before = last
      last = { party, at: clock() }
    },
    includeOthersThan(whose: string): boolean {
      const other = last.party === partyOf(whose) ? before : last
      return clock() - other.at < askedLatelyMilliseconds
    },
  }
}

const fewestTurns = (shares: [string, ShareState][]): [string, ShareState] | undefined =>
  shares.reduce<[string, ShareState] | undefined>(
    (best, one) => (!best || one[1].running < best[1].running ? one : best),
    undefined,
  )
