import type { Caller } from './caller.ts'

/**
 * Remembers for some minutes, on this node, who was found to have standing in which Workspace: what they ask counts for
 * it, before that is judged anew. It grants nothing.
 */
export interface Admitted {
  add(user_id: string, workspace_id: string): void
  has(user_id: string, workspace_id: string): boolean
  /** They were found to have none. */
  remove(user_id: string, workspace_id: string): void
}

const mostRemembered = 20_000
const rememberedFor = 300_000

export function createAdmitted(clock: () => number = () => performance.now()): Admitted {
  const until = new Map<string, number>()
  const key = (user_id: string, workspace_id: string) => `${user_id} ${workspace_id}`
  return {
    add(user_id, workspace_id) {
      const both = key(user_id, workspace_id)
      // Put in anew, so that those who were not seen for the longest time come first, and are forgotten first.
      until.delete(both)
      if (until.size >= mostRemembered) until.delete(until.keys().next().value as string)
      until.set(both, clock() + rememberedFor)
    },
    remove: (user_id, workspace_id) => void until.delete(key(user_id, workspace_id)),
    has: (user_id, workspace_id) => (until.get(key(user_id, workspace_id)) ?? 0) > clock(),
  }
}

/**
 * The Workspace that a request counts for before its standing is judged. To name one is not enough, or strangers could use
 * up what its people share.
 */
export function countedWorkspace(
  admitted: Pick<Admitted, 'has'>,
  caller: Caller,
  named: string | null | undefined,
): string | null {
  if (caller.kind === 'key') return caller.workspace_id
  const workspace_id = named?.toLowerCase()
  return workspace_id !== undefined && admitted.has(caller.user_id, workspace_id) ? workspace_id : null
}
