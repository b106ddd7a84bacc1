import { TooManyWaiting } from '../faults.ts'
import { anonymousShare, partyOf } from './share.ts'

/** Gives a turn back; calling it again does nothing. */
export type EndTurn = () => void

/**
 * Shares out a few turns among many: so many at once in all, and no more than some of them to one. Who has all of theirs
 * waits in a queue of their own, and a turn that comes free goes to whoever of those who wait has the fewest, and among
 * these round and round. However much one of them asks, another waits for a turn of each, and not for all that they asked.
 * Turns have the processors to share as well, so one has fewer at once for as long as others ask too.
 */
export interface FairTurns {
  /** A turn for one of theirs, as soon as it is theirs. Throws TooManyWait, and after the patience what `late` gives. */
  take(whose: string, patienceMilliseconds?: number): Promise<EndTurn>
  usage(): { running: number; waiting: number }
  /** Sends away all who wait, and whoever comes after; what is under way goes on. */
  close(): void
}

export interface TurnBounds {
  total: number
  perShare: number
  /** The same, while others ask as well. */
  perShareWhenContended: number
  /** How many of one may wait. */
  queuePerShare: number
  timeoutMilliseconds: number
  timeoutError(): Error
}

interface Waiter {
  begin(end: EndTurn): void
  giveUp(): void
  timer: NodeJS.Timeout
}

/** Of one: how many turns they have, and who waits for one. Nobody is remembered who has none and waits for none. */
interface ShareState {
  running: number
  queue: Waiter[]
}

/** For so long after somebody asked they are taken to ask still. */
const askedLatelyMilliseconds = 1000

export function createFairTurns(bounds: TurnBounds, clock = () => performance.now()): FairTurns {
  // In the order in which they were last given a turn, newcomers behind those who wait.
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

  function wait(whose: string, share: ShareState, patienceMilliseconds: number): Promise<EndTurn> {
    if (share.queue.length >= bounds.queuePerShare) throw new TooManyWaiting('As many wait as may.')
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        share.queue.splice(share.queue.indexOf(waiter), 1)
        waiting--
        forgetIfIdle(whose, share)
        reject(bounds.timeoutError())
      }
      const timer = setTimeout(giveUp, patienceMilliseconds)
      const waiter: Waiter = { begin: resolve, giveUp, timer }
      share.queue.push(waiter)
      waiting++
    })
  }

  return {
    async take(whose, patienceMilliseconds = bounds.timeoutMilliseconds) {
      if (closed) throw bounds.timeoutError()
      const share = shares.get(whose) ?? { running: 0, queue: [] }
      shares.set(whose, share)
      askers.note(whose)
      return mayBegin(whose, share) && share.queue.length === 0
        ? begin(whose, share)
        : wait(whose, share, patienceMilliseconds)
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

/** Who has asked within the last second. The last two who asked are enough to know: one of them at least is another. */
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
