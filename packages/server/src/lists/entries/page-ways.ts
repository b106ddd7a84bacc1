import { createHash } from 'node:crypto'
import type { FilteredMembers } from './filtered-members.ts'

/**
 * How a statement finds the members of a page.
 * - `planned`: PostgreSQL chooses between the search index and a walk by id.
 * - `indexed`: it reads all that the search index finds, and sorts it.
 * - `ranged`: it examines a range of ids of limited length.
 */
export type PageWay = 'planned' | 'indexed' | 'ranged'

/** How long, and for how many Lists, a process remembers the way. */
const rememberedMilliseconds = 30_000
const mostRemembered = 1000

const remembered = new Map<string, { way: PageWay; until: number }>()

/**
 * The way that the following pages of a List begin with, because others took too long for the page before; `planned` unless
 * there is another. It is only about time: every way finds the same members.
 */
export function wayOfNextPage(members: FilteredMembers): PageWay {
  const found = remembered.get(keyOf(members))
  return found && found.until > performance.now() ? found.way : 'planned'
}

export function rememberWay(members: FilteredMembers, way: PageWay): void {
  const key = keyOf(members)
  // Deleted first, so that the oldest is the first of the map.
  remembered.delete(key)
  remembered.set(key, { way, until: performance.now() + rememberedMilliseconds })
  for (const oldest of remembered.keys())
    if (remembered.size > mostRemembered) remembered.delete(oldest)
    else break
}

/** A digest, because a rule can have 64 KiB, and a thousand of them are remembered. */
const keyOf = ({ membership: { viewer, list_id, rule }, filter, source }: FilteredMembers): string =>
  createHash('sha256')
    .update(JSON.stringify([viewer.workspace_id, list_id, rule, filter, source]))
    .digest('base64')
