import { streamEvents } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage, newestPosition } from './change-store.ts'
import { requireVisible } from './event-access.ts'
import { newestSeen } from './event-store.ts'
import { readCursor, type CursorsOf } from './feed/feed-cursors.ts'
import type { FeedTails } from './feed/feed-tails.ts'
import type { Follower, Told } from './feed/follower.ts'
import { toldOf } from './feed/news.ts'

const pageSize = 100

/** What is told where nothing else is: only how far the stream has come. */
type Heartbeat = Pick<Told, 'position'>

/**
 * `heartbeat` is after how many milliseconds of silence something is said all the same, at the latest. Each stream has its
 * own, a little less: those that were opened together are not all spoken to together, for ever.
 */
export const handleStreamEvents = (tails: FeedTails, cursorsOf: CursorsOf, heartbeat: number) =>
  implement(streamEvents, async function streamEvents({ room_id, types, cursor }, context) {
    const { caller, read, wait, refuse } = context
    const { workspace_id } = context.standing
    const cursors = cursorsOf(workspace_id)
    const place = wait.resumes
      ? ({ in: 'header', pointer: '/Last-Event-ID' } as const)
      : ({ in: 'query', pointer: '/cursor' } as const)
    const from = readCursor(cursors, place, cursor, refuse)
    await requireVisible(context, { room_id })
    const newest = async (position: string | null) =>
      cursors.textOf(
        await newestSeen(read, viewerOf({ caller, standing: context.standing }), room_id, position),
      )
    const start = from ?? (await newestPosition(read, workspace_id))
    // From where somebody goes on who loses the connection: it moves on with what they may see, and with nothing else.
    const told = cursor ?? (await newest(start))
    const beat = heartbeat * (0.75 + Math.random() / 4)
    wait.begin()

    return {
      async stream(listener) {
        let standing = context.standing
        let spoke = performance.now()
        let isBehind = true
        const say = (items: readonly (Told | Heartbeat)[]) => {
          spoke = performance.now()
          return listener.send(items)
        }
        const follower: Follower = {
          caller,
          room_id,
          types,
          position: Number(start ?? 0),
          told,
          judged: performance.now(),
          tokenHolds: wait.requireValidToken,
          take: say,
        }
        say([{ position: told }])
        while (!wait.signal.aborted) {
          if (isBehind) {
            const viewer = viewerOf({ caller, standing })
            const after = String(follower.position)
            const page = await changesPage(read, viewer, { room_id, types }, { after, limit: pageSize })
            if (page.past_end) follower.told = await newest(page.looked_to)
            follower.told = cursors.textOf(page.seen_to) ?? follower.told
            follower.position = Number(page.looked_to ?? 0)
            isBehind = page.has_more
            if (page.events.length > 0) say(page.events.map(event => toldOf(event, caller, cursors)))
          } else {
            const quiet = Math.max(0, beat - (performance.now() - spoke))
            isBehind = await tails.follow(workspace_id, follower, quiet, wait.signal)
          }
          await listener.read()
          if (wait.signal.aborted) return
          // In quiet times all who wait are judged together; who was not is judged by themselves.
          if (!isBehind && performance.now() - follower.judged < heartbeat) await wait.requireValidToken()
          else {
            standing = await wait.currentStanding()
            await requireVisible({ ...context, standing }, { room_id })
            follower.judged = performance.now()
          }
          if (performance.now() - spoke >= beat) say([{ position: follower.told }])
        }
      },
    }
  })
