import { listEventChanges } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage } from './change-store.ts'
import { requireVisible } from './event-access.ts'
import { presentEvent } from './event-view.ts'
import type { FeedWatch } from './feed-watch.ts'

export const handleListEventChanges = (watch: FeedWatch) =>
  implement(listEventChanges, async (input, context) => {
    const { room_id, types, cursor = null, limit = 20, wait_seconds = 0 } = input
    const { caller, read, patience } = context
    const { workspace_id } = context.standing
    const end = performance.now() + wait_seconds * 1000
    if (wait_seconds > 0) patience.begin()

    let standing = context.standing
    let after = cursor
    for (;;) {
      await requireVisible({ ...context, standing }, { room_id })
      const page = await changesPage(read, viewerOf(caller, standing), { room_id, types }, { after, limit })
      const left = end - performance.now()
      if (page.events.length > 0 || page.has_more || left <= 0 || patience.over.aborted) {
        const data = page.events.map(event => presentEvent(event, caller))
        return { result: { data, cursor: page.cursor, has_more: page.has_more } }
      }
      after = page.cursor
      await watch.past(workspace_id, after, left, patience.over)
      standing = await patience.standingNow()
    }
  })
