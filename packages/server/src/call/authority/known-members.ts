import { principalOf, type Caller } from './caller.ts'
import type { GuestStanding, Standing } from './standing.ts'

/**
 * Remembers for some minutes, on this node, what standing somebody was found to have in a Workspace: what they ask counts
 * for it, and what a change will look at is sent for with it, before standing is judged anew. It grants nothing.
 */
export interface KnownMembers {
  add(caller: Caller, standing: Standing | GuestStanding): void
  standingOf(caller: Caller, workspace_id: string): Standing | GuestStanding | undefined
  /** They were found to have none. */
  remove(caller: Caller, workspace_id: string): void
}

const mostRemembered = 20_000
const rememberedFor = 300_000

export function createKnownMembers(clock: () => number = () => performance.now()): KnownMembers {
  const found = new Map<string, { standing: Standing | GuestStanding; until: number }>()
  const keyOf = (caller: Caller, workspace_id: string) => `${principalOf(caller)} ${workspace_id}`
  return {
    add(caller, standing) {
      const key = keyOf(caller, standing.workspace_id)
      // Put in anew, so that those who were not seen for the longest time come first, and are forgotten first.
      found.delete(key)
      if (found.size >= mostRemembered) found.delete(found.keys().next().value as string)
      found.set(key, { standing, until: clock() + rememberedFor })
    },
    remove: (caller, workspace_id) => void found.delete(keyOf(caller, workspace_id)),
    standingOf(caller, workspace_id) {
      const last = found.get(keyOf(caller, workspace_id))
      return last && last.until > clock() ? last.standing : undefined
    },
  }
}

/**
 * The Workspace that a request counts for before its standing is judged. To name one is not enough, or strangers could use
 * up what its people share.
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
