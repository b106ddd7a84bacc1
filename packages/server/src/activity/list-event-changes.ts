import { listEventChanges } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage } from './change-store.ts'
import { requireVisible } from './event-access.ts'
import { newestSeen } from './event-store.ts'
import { presentEvent } from './event-view.ts'
import { readCursor, type CursorsOf } from './feed/feed-cursors.ts'
import type { FeedTails } from './feed/feed-tails.ts'
import type { Follower, Told } from './feed/follower.ts'

export const handleListEventChanges = (tails: FeedTails, cursorsOf: CursorsOf) =>
  implement(listEventChanges, async function listEventChanges(input, context) {
    const { room_id, types, cursor, limit = 20, wait_seconds = 0 } = input
    const { caller, read, wait, refuse } = context
    const { workspace_id } = context.standing
    const cursors = cursorsOf(workspace_id)
    const end = performance.now() + wait_seconds * 1000
    let after = readCursor(cursors, { in: 'query', pointer: '/cursor' }, cursor, refuse)
    if (wait_seconds > 0) wait.begin()

    let standing = context.standing
    // What is told moves on with what the caller may see, and with nothing else: not even that something else happened.
    let told = cursor ?? null
    for (;;) {
      await requireVisible({ ...context, standing }, { room_id })
      const viewer = viewerOf({ caller, standing })
      const page = await changesPage(read, viewer, { room_id, types }, { after, limit })
      if (page.past_end) told = cursors.textOf(await newestSeen(read, viewer, room_id, page.looked_to))
      told = cursors.textOf(page.seen_to) ?? told
      const left = end - performance.now()
      if (page.events.length > 0 || page.has_more || left <= 0 || wait.signal.aborted) {
        const data = page.events.map(event => presentEvent(event, caller))
        return { result: { data, cursor: told, has_more: page.has_more } }
      }
      const position = Number(page.looked_to ?? 0)
      let events: readonly Told[] = []
      const follower: Follower = {
        caller,
        room_id,
        types,
        position,
        told,
        judged: performance.now(),
        tokenHolds: wait.requireValidToken,
        take(some) {
          events = some
          return false
        },
      }
      await tails.follow(workspace_id, follower, left, wait.signal)
      if (events.length > 0) {
        const shown = events.slice(0, limit)
        const has_more = events.length > limit
        const last = has_more ? shown.at(-1)?.position : follower.told
        return { result: { data: shown.map(({ data }) => data), cursor: last ?? null, has_more } }
      }
      told = follower.told
      after = String(follower.position)
      standing = await wait.currentStanding()
    }
  })
