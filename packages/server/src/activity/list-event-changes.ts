import { listEventChanges } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage } from './event-change-store.ts'
import { requireVisibleScope } from './event-access.ts'
import { newestVisiblePosition } from './event-store.ts'
import { presentEvent } from './event-view.ts'
import { readKeptCursor, type CursorsOf } from './feed/feed-cursors.ts'
import { startOfKept } from './feed/kept-events-store.ts'
import type { FeedTails } from './feed/feed-tails.ts'
import type { Follower, EventItem } from './feed/follower.ts'

export const handleListEventChanges = (tails: FeedTails, cursorsOf: CursorsOf) =>
  implement(listEventChanges, async function listEventChanges(input, context) {
    const { room_id, types, cursor, limit = 20, wait_seconds = 0 } = input
    const { caller, read, wait, refuse } = context
    const { workspace_id } = context.standing
    const cursors = cursorsOf(workspace_id)
    const end = performance.now() + wait_seconds * 1000
    let after = await readKeptCursor(cursors, { in: 'query', pointer: '/cursor' }, cursor, read, refuse)
    if (wait_seconds > 0) wait.begin()

    let standing = context.standing
    // The cursor advances only past visible events, so that it does not reveal that something hidden happened. Before the
    // first one it is that of the start.
    let lastCursor = cursor ?? null
    for (;;) {
      await requireVisibleScope({ ...context, standing }, { room_id })
      const viewer = viewerOf({ caller, standing })
      const page = await changesPage(read, viewer, { room_id, types }, { after, limit })
      if (page.past_end)
        lastCursor = cursors.textOf(await newestVisiblePosition(read, viewer, room_id, page.scanned_to))
      lastCursor = cursors.textOf(page.visible_to) ?? lastCursor ?? cursors.textOf(await startOfKept(read))
      const left = end - performance.now()
      if (page.events.length > 0 || page.has_more || left <= 0 || wait.signal.aborted) {
        const data = page.events.map(event => presentEvent(event, caller))
        return { result: { data, cursor: lastCursor, has_more: page.has_more } }
      }
      const position = Number(page.scanned_to ?? 0)
      let events: readonly EventItem[] = []
      const follower: Follower = {
        caller,
        room_id,
        types,
        position,
        cursor: lastCursor,
        checkedAt: performance.now(),
        tokenHolds: wait.requireValidToken,
        deliver(some) {
          events = some
          return false
        },
      }
      await tails.follow(workspace_id, follower, left, wait.signal)
      if (events.length > 0) {
        const shown = events.slice(0, limit)
        const has_more = events.length > limit
        const last = has_more ? shown.at(-1)?.position : follower.cursor
        return { result: { data: shown.map(({ data }) => data), cursor: last ?? lastCursor, has_more } }
      }
      lastCursor = follower.cursor
      after = String(follower.position)
      standing = await wait.currentStanding()
    }
  })
