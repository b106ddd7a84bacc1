import type { Operation } from '@wbs/contract/operation'
import type { WaitWithoutSlot } from '../../call/commands/single-flight.ts'
import { unavailable } from '../../call/problem.ts'
import { createRequestsInFlight, type InFlightLimits, type RequestOwner } from './requests-in-flight.ts'
import { createKeyedCounter, once, type Release } from './keyed-counter.ts'
import { tooMany } from './too-many.ts'
import type { OpenStreams } from './open-streams.ts'

/** One of the places for requests that are carried out. */
export interface Slot {
  /** Gives it back for good; harmless to repeat. */
  leave(): void
  /** Gives it back while something is waited for, and takes one again. Throws unavailable where none is free then. */
  waitWithoutSlot: WaitWithoutSlot
  [Symbol.dispose](): void
}

/** Bounds how many requests are carried out at once, so that too many are refused at once rather than all made slow. */
export interface Admission {
  /**
   * Takes a place for a request that is whole, and whose sender is known. Requests with one `command` count once for
   * their sender. Throws rate_limited where the sender, or their Workspace, has too many in flight, and unavailable where no
   * place is free; what tells whether the service lives is let in always.
   */
  enter(operation: Operation, sender: RequestOwner, command: string): Slot
  usage(): { carried_out: number; in_flight: number }
}

/**
 * A fifth of the places is for changes alone: a flood of searches, which anyone may send, must not shut them out. Half of
 * the places is as much as one Workspace may have, so that its many callers do not shut out those of others.
 */
export function createAdmission(
  slots: number,
  inFlightLimits: InFlightLimits,
  openStreams: OpenStreams,
): Admission {
  const inFlight = createRequestsInFlight(inFlightLimits)
  const workspaces = createKeyedCounter()
  const slotsPerWorkspace = Math.ceil(slots / 2)
  let inUse = 0

  function takeSlot(operation: Operation, workspace: string | null): Release {
    const places = operation.kind === 'mutation' ? slots : Math.ceil(slots * 0.8)
    if (workspace !== null && workspaces.of(workspace) >= slotsPerWorkspace)
      throw tooMany(
        'turns',
        'Too many requests in this Workspace are in progress. Wait until one of them ends.',
      )
    if (inUse >= places) throw unavailable('Too many requests are in progress. Try again.')
    inUse++
    const leave = workspace === null ? undefined : workspaces.add(workspace)
    return once(() => {
      inUse--
      leave?.()
    })
  }

  function slotOf(
    operation: Operation,
    { key, workspace }: RequestOwner,
    leaveInFlight: Release,
    releaseSlot: Release,
  ): Slot {
    let giveBack = releaseSlot
    const leave = () => {
      giveBack()
      leaveInFlight()
    }
    return {
      leave,
      [Symbol.dispose]: leave,
      async waitWithoutSlot(wait) {
        const end = openStreams.begin(key)
        giveBack()
        const result = await wait().finally(end)
        giveBack = takeSlot(operation, workspace)
        return result
      },
    }
  }

  return {
    enter(operation, sender, command) {
      if (operation.tag === 'System') return alwaysFree
      const land = inFlight.begin(sender, command)
      try {
        return slotOf(operation, sender, land, takeSlot(operation, sender.workspace))
      } catch (error) {
        land()
        throw error
      }
    },
    usage: () => ({ carried_out: inUse, in_flight: inFlight.inFlight() }),
  }
}

const alwaysFree: Slot = { leave() {}, waitWithoutSlot: wait => wait(), [Symbol.dispose]() {} }
