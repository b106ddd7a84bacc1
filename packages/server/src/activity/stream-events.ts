import { streamEvents } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage, newestPosition } from './change-store.ts'
import { requireVisible } from './event-access.ts'
import { newestSeen } from './event-store.ts'
import { presentEvent } from './event-view.ts'
import { readCursor, type CursorsOf } from './feed-cursors.ts'
import type { FeedTails } from './feed-tails.ts'
import type { Follower } from './follower.ts'

const pageSize = 100

/** `heartbeat` is after how many milliseconds of silence something is said all the same. */
export const handleStreamEvents = (tails: FeedTails, cursorsOf: CursorsOf, heartbeat: number) =>
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
    const follower: Follower = {
      caller,
      room_id,
      types,
      position: Number(start ?? 0),
      // From where somebody goes on who loses the connection: it moves on with what they may see, and with nothing else.
      told: cursor ?? (await newest(start)),
      judged: performance.now(),
    }
    patience.begin()

    async function* items() {
      let standing = context.standing
      let spoke = performance.now()
      let isBehind = true
      yield [{ position: follower.told }]
      for (;;) {
        if (isBehind) {
          const viewer = viewerOf(caller, standing)
          const after = String(follower.position)
          const page = await changesPage(read, viewer, { room_id, types }, { after, limit: pageSize })
          if (page.events.length > 0) {
            yield page.events.map(event => ({
              position: cursors.textOf(event.position),
              data: presentEvent(event, caller),
            }))
            spoke = performance.now()
          }
          if (page.past_end) follower.told = await newest(page.looked_to)
          follower.told = cursors.textOf(page.seen_to) ?? follower.told
          follower.position = Number(page.looked_to ?? 0)
          isBehind = page.has_more
        }
        if (!isBehind) {
          const quiet = Math.max(0, heartbeat - (performance.now() - spoke))
          const news = await tails.wait(workspace_id, follower, quiet, patience.over)
          if (news.events.length > 0 && !patience.over.aborted) {
            await patience.tokenHolds()
            yield news.events
            spoke = performance.now()
            continue
          }
          isBehind = news.look
        }
        if (patience.over.aborted) return
        // In quiet times all who wait are judged together; who was not is judged by themselves.
        if (!isBehind && performance.now() - follower.judged < heartbeat) await patience.tokenHolds()
        else {
          standing = await patience.standingNow()
          await requireVisible({ ...context, standing }, { room_id })
          follower.judged = performance.now()
        }
        if (performance.now() - spoke < heartbeat) continue
        yield [{ position: follower.told }]
        spoke = performance.now()
      }
    }
    return { items: items() }
  })
