import { streamEvents } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage, newestPosition } from './change-store.ts'
import { requireVisible } from './event-access.ts'
import { presentEvent } from './event-view.ts'
import type { FeedWatch } from './feed-watch.ts'

const pageSize = 100

/** `heartbeat` is after how many milliseconds of silence something is said all the same. */
export const handleStreamEvents = (watch: FeedWatch, heartbeat: number) =>
  implement(streamEvents, async ({ room_id, types, cursor }, context) => {
    const { caller, read, patience } = context
    const { workspace_id } = context.standing
    await requireVisible(context, { room_id })
    const start = cursor ?? (await newestPosition(read, workspace_id))
    patience.begin()

    async function* items() {
      let standing = context.standing
      let position = start
      let spoke = performance.now()
      // From where somebody goes on who loses the connection before anything has happened.
      yield { position }
      for (;;) {
        const viewer = viewerOf(caller, standing)
        const page = await changesPage(read, viewer, { room_id, types }, { after: position, limit: pageSize })
        for (const event of page.events) yield { position: event.position, data: presentEvent(event, caller) }
        position = page.cursor
        if (page.events.length > 0) spoke = performance.now()
        const quiet = Math.max(0, heartbeat - (performance.now() - spoke))
        if (!page.has_more) await watch.past(workspace_id, position, quiet, patience.over)
        if (patience.over.aborted) return
        standing = await patience.standingNow()
        await requireVisible({ ...context, standing }, { room_id })
        if (performance.now() - spoke < heartbeat) continue
        yield { position }
        spoke = performance.now()
      }
    }
    return { items: items() }
  })
