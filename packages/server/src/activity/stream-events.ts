import { streamEvents } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage, newestPosition } from './change-store.ts'
import { requireVisible } from './event-access.ts'
import { newestSeen } from './event-store.ts'
import { presentEvent } from './event-view.ts'
import { readCursor, type CursorsOf } from './feed-cursors.ts'
import type { FeedWatch } from './feed-watch.ts'

const pageSize = 100

/** `heartbeat` is after how many milliseconds of silence something is said all the same. */
export const handleStreamEvents = (watch: FeedWatch, cursorsOf: CursorsOf, heartbeat: number) =>
  implement(streamEvents, async ({ room_id, types, cursor }, context) => {
    const { caller, read, patience, refuse } = context
    const { workspace_id } = context.standing
    const cursors = cursorsOf(workspace_id)
    const place = patience.resumes
      ? ({ in: 'header', pointer: '/Last-Event-ID' } as const)
      : ({ in: 'query', pointer: '/cursor' } as const)
    const from = readCursor(cursors, place, cursor, refuse)
    await requireVisible(context, { room_id })
    const newest = async (position: string | null) =>
      cursors.textOf(await newestSeen(read, viewerOf(caller, context.standing), room_id, position))
    const start = from ?? (await newestPosition(read, workspace_id))
    // From where somebody goes on who loses the connection: it moves on with what they may see, and with nothing else.
    let told = cursor ?? (await newest(start))
    patience.begin()

    async function* items() {
      let standing = context.standing
      let position = start
      let spoke = performance.now()
      yield { position: told }
      for (;;) {
        const viewer = viewerOf(caller, standing)
        const page = await changesPage(read, viewer, { room_id, types }, { after: position, limit: pageSize })
        for (const event of page.events) {
          told = cursors.textOf(event.position)
          yield { position: told, data: presentEvent(event, caller) }
        }
        if (page.past_end) told = await newest(page.looked_to)
        told = cursors.textOf(page.seen_to) ?? told
        position = page.looked_to
        if (page.events.length > 0) spoke = performance.now()
        const quiet = Math.max(0, heartbeat - (performance.now() - spoke))
        if (!page.has_more) await watch.past(workspace_id, position, quiet, patience.over)
        if (patience.over.aborted) return
        standing = await patience.standingNow()
        await requireVisible({ ...context, standing }, { room_id })
        if (performance.now() - spoke < heartbeat) continue
        yield { position: told }
        spoke = performance.now()
      }
    }
    return { items: items() }
  })
