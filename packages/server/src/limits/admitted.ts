/** Remembers for some minutes, on this node, who was found to belong in which Workspace. */
export interface Admitted {
  add(user_id: string, workspace_id: string): void
  has(user_id: string, workspace_id: string): boolean
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
    has: (user_id, workspace_id) => (until.get(key(user_id, workspace_id)) ?? 0) > clock(),
  }
}
