import type { Operation } from '@wbs/contract/operation'
import type { WaitWithoutSlot } from '../../call/waiting/wait-without-slot.ts'
import { createRequestsInFlight, type InFlightLimits, type RequestOwner } from './requests-in-flight.ts'
import { createKeyedCounter, once, type Release } from './keyed-counter.ts'
import { nodeFull, tooMany } from './too-many.ts'
import type { OpenStreams } from './open-streams.ts'

/** One of the limited slots of requests that are carried out. */
export interface Slot {
  /** Releases the slot for good. May be called again. */
  leave(): void
  /** Releases the slot while something is waited for, and takes one again. Throws unavailable if none is free then. */
  waitWithoutSlot: WaitWithoutSlot
  [Symbol.dispose](): void
}

/** Limits how many requests are carried out at once, so that the excess is refused early instead of slowing all down. */
export interface Admission {
  /**
   * Takes a slot for a request whose body has arrived and whose sender is known. Requests with the same `command` count
   * once for their sender. Throws rate_limited if the sender or their Workspace has too many in flight, and unavailable
   * if no slot is free. Operations of the System tag are always admitted.
   */
  enter(operation: Operation, sender: RequestOwner, command: string): Slot
  usage(): { carried_out: number; in_flight: number }
}

/**
 * One fifth of the slots is reserved for changes, so that a flood of searches, which anybody may send, cannot block
 * them. One Workspace gets at most half of the slots, so that its many callers cannot block those of others.
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
    if (inUse >= places) throw nodeFull('Too many requests are in progress. Try again.')
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
        const end = openStreams.begin(key, 'repetition')
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
