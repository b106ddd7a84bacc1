import { principalOf, type Caller } from './caller.ts'
import type { GuestStanding, Standing } from './standing.ts'

/**
 * A cache, on this node and for five minutes, of the standing that callers were found to have. Requests of a known
 * member are charged to the Workspace, and a change is prefetched with the standing of last time. It grants no access.
 */
export interface KnownMembers {
  add(caller: Caller, standing: Standing | GuestStanding): void
  standingOf(caller: Caller, workspace_id: string): Standing | GuestStanding | undefined
  /** Called when the caller has no standing. */
  remove(caller: Caller, workspace_id: string): void
}

const mostRemembered = 20_000
const rememberedFor = 300_000

export function createKnownMembers(clock: () => number = performance.now.bind(performance)): KnownMembers {
  const found = new Map<string, { standing: Standing | GuestStanding; until: number }>()
  return {
    add(caller, standing) {
      const key = `${principalOf(caller)} ${standing.workspace_id}`
      // Inserted again, so that the map starts with the entries that were not used for the longest time.
      found.delete(key)
      if (found.size >= mostRemembered) found.delete(found.keys().next().value as string)
      found.set(key, { standing, until: clock() + rememberedFor })
    },
    remove: (caller, workspace_id) => void found.delete(`${principalOf(caller)} ${workspace_id}`),
    standingOf(caller, workspace_id) {
      const last = found.get(`${principalOf(caller)} ${workspace_id}`)
      return last && last.until > clock() ? last.standing : undefined
    },
  }
}

/**
 * The Workspace that a request is charged to before its standing is judged; null for a caller who is not a known
 * member. Otherwise strangers could use up the limits of a Workspace by naming it.
 */
export function chargedWorkspace(
  knownMembers: Pick<KnownMembers, 'standingOf'>,
  caller: Caller,
  named: string | null | undefined,
): string | null {
  if (caller.kind === 'key') return caller.workspace_id
  const workspace_id = named?.toLowerCase()
  return workspace_id !== undefined && knownMembers.standingOf(caller, workspace_id) ? workspace_id : null
}
