import type { Operation } from '@wbs/contract/operation'
import type { WaitWithoutSlot } from '../../call/waiting/wait-without-slot.ts'
import { createKeyedCounter, once, type Release } from './keyed-counter.ts'
import { nodeFull, tooMany } from './too-many.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Problem } from '../../call/problem.ts'

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

/** Who makes a request: a caller, or the address of a client without a credential. */
export interface RequestOwner {
  key: string
  isAnonymous: boolean
  /** The Workspace that the request is also counted for; null if none. */
  workspace: string | null
}

/** How many requests may be carried out at once. */
export interface InFlightLimits {
  perCaller: number
  /** For all clients without a credential at one address, which may be many. */
  perAddress: number
}

/** Counts the requests in flight per sender. */
export interface RequestsInFlight {
  /** Throws rate_limited if the sender has too many requests in flight. */
  begin(sender: RequestOwner, command: string): Release
  inFlight(): number
}

/** Keeps one sender from taking all slots. Duplicates of a command count once, because only one of them runs. */
function createRequestsInFlight({ perCaller, perAddress }: InFlightLimits): RequestsInFlight {
  const commandsOf = new Map<string, Map<string, number>>()

  function end(whose: string, commands: Map<string, number>, command: string): void {
    const left = (commands.get(command) ?? 1) - 1
    if (left > 0) commands.set(command, left)
    else commands.delete(command)
    if (commands.size === 0) commandsOf.delete(whose)
  }

  return {
    begin({ key, isAnonymous }, command) {
      const most = isAnonymous ? perAddress : perCaller
      const commands = commandsOf.get(key) ?? new Map<string, number>()
      if (commands.size >= most && !commands.has(command)) throw tooManyInFlight(most, isAnonymous)
      commandsOf.set(key, commands)
      commands.set(command, (commands.get(command) ?? 0) + 1)
      return once(() => end(key, commands, command))
    },
    inFlight: () => commandsOf.values().reduce((sum, commands) => sum + commands.size, 0),
  }
}

function tooManyInFlight(most: number, isAnonymous: boolean): Problem {
  const whose = isAnonymous ? 'without a credential from your address' : 'from you'
  return tooMany(
    'in_flight',
    `Too many requests ${whose} are in progress (${most}). Wait until one of them ends.`,
  )
}

/** Limits how many senders are identified at once, because an issuer or the database may be slow to answer. */
export interface Identifying {
  /** Throws unavailable at the limit. */
  bounded<T>(work: () => Promise<T>): Promise<T>
  count(): number
}

export function createIdentifying(most: number): Identifying {
  let underWay = 0
  return {
    async bounded(work) {
      if (underWay >= most) throw nodeFull('Too many requests are in progress. Try again.')
      underWay++
      try {
        return await work()
      } finally {
        underWay--
      }
    },
    count: () => underWay,
  }
}
