import type { Problem } from '../../call/problem.ts'
import { once, type Release } from './keyed-counter.ts'
import { tooMany } from './too-many.ts'

/** Whom a request is counted for: a caller, or the address of a client without a credential. */
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
export function createRequestsInFlight({ perCaller, perAddress }: InFlightLimits): RequestsInFlight {
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
