import type { Problem } from '../../call/problem.ts'
import { createKeyedCounter, type Release } from './keyed-counter.ts'
import { nodeFull, tooMany } from './too-many.ts'

/** Limits of request bodies in memory. */
export interface BodyLimits {
  /** Bodies that are still arriving: in total, per address, per caller. */
  unfinished: number
  unfinishedPerAddress: number
  unfinishedPerCaller: number
  /** Bytes in memory beyond the first 16 KiB of each body: in total, and per address. */
  bytes: number
  bytesPerAddress: number
}

/** The sender of a body. */
export interface BodySender {
  address: string
  /** Null without a credential. */
  principal: string | null
}

export interface Bodies {
  /**
   * Counts a body that is still arriving. Throws rate_limited if its sender has too many, unavailable if there are too
   * many in total.
   */
  begin(sender: BodySender): Release
  /** Counts the bytes of a body in memory. */
  buffer(sender: BodySender): BufferedBody
  usage(): { unfinished: number; bytes: number }
}

export interface BufferedBody {
  /** Sets the length so far. Throws as `begin` does. */
  grow(length: number): void
  release: Release
}

/** So much of each body is not counted, so that large ones cannot keep out the others. */
export const uncountedBytes = 16 * 1024

export function createBodies(most: BodyLimits): Bodies {
  const ofAddresses = createKeyedCounter()
  const ofCallers = createKeyedCounter()
  const bytes = createKeyedCounter()

  function refuseOneMore({ address, principal }: BodySender): void {
    if (principal !== null && ofCallers.of(principal) >= most.unfinishedPerCaller)
      throw tooManyUnfinished('you')
    if (ofAddresses.of(address) >= most.unfinishedPerAddress) throw tooManyUnfinished('your address')
    if (ofAddresses.total() >= most.unfinished)
      throw nodeFull('Too many request bodies are being received. Try again.')
  }

  function refuseMoreBytes(address: string, more: number): void {
    if (bytes.of(address) + more > most.bytesPerAddress)
      throw tooMany(
        'unfinished',
        'The request bodies from your address are too large in total. Send fewer at once.',
      )
    if (bytes.total() + more > most.bytes)
      throw nodeFull('The request bodies that are being received are too large in total. Try again.')
  }

  return {
    begin(sender) {
      refuseOneMore(sender)
      const { address, principal } = sender
      const releases = [ofAddresses.add(address), principal === null ? null : ofCallers.add(principal)]
      return () => releases.forEach(release => release?.())
    },
    buffer({ address }) {
      let counted = 0
      let release: Release = () => undefined
      return {
        grow(length) {
          const more = Math.max(0, length - uncountedBytes) - counted
          if (more <= 0) return
          refuseMoreBytes(address, more)
          release()
          counted += more
          release = bytes.add(address, counted)
        },
        release: () => release(),
      }
    },
    usage: () => ({ unfinished: ofAddresses.total(), bytes: bytes.total() }),
  }
}

const tooManyUnfinished = (whose: string): Problem =>
  tooMany('unfinished', `Too many requests from ${whose} are incomplete. Send the rest of one first.`)
