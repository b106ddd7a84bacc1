import { streamEvents } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { changesPage, newestPosition } from './event-change-store.ts'
import { requireVisibleScope } from './event-access.ts'
import { newestVisiblePosition } from './event-store.ts'
import { readKeptCursor, type CursorsOf } from './feed/feed-cursors.ts'
import type { FeedTails } from './feed/feed-tails.ts'
import type { Follower, EventItem } from './feed/follower.ts'
import { eventItem } from './feed/delivery.ts'

const pageSize = 100

/** What is sent if there are no events: only the cursor. */
type Heartbeat = Pick<EventItem, 'position'>

/**
 * `heartbeat` is the longest silence of a stream, in milliseconds. Each stream uses a random, slightly shorter interval, so
 * that streams that opened together do not send together for ever.
 */
export const handleStreamEvents = (tails: FeedTails, cursorsOf: CursorsOf, heartbeat: number) =>
  implement(streamEvents, async function streamEvents({ room_id, types, cursor }, context) {
    const { caller, read, wait, refuse } = context
    const { workspace_id } = context.standing
    const cursors = cursorsOf(workspace_id)
    const cursorField = wait.resumes
      ? ({ in: 'header', pointer: '/Last-Event-ID' } as const)
      : ({ in: 'query', pointer: '/cursor' } as const)
    const from = await readKeptCursor(cursors, cursorField, cursor, read, refuse)
    await requireVisibleScope(context, { room_id })
    const newest = async (position: string | null) =>
      cursors.textOf(
        await newestVisiblePosition(
          read,
          viewerOf({ caller, standing: context.standing }),
          room_id,
          position,
        ),
      )
    const start = from ?? (await newestPosition(read, workspace_id))
    // Where a client resumes after a lost connection. It advances only past visible events.
    const firstCursor = cursor ?? (await newest(start))
    const interval = heartbeat * (0.75 + Math.random() / 4)
    wait.begin()

    return {
      async stream(listener) {
        let standing = context.standing
        let sentAt = performance.now()
        let isBehind = true
        const send = (items: readonly (EventItem | Heartbeat)[]) => {
          sentAt = performance.now()
          return listener.send(items)
        }
        const follower: Follower = {
          caller,
          room_id,
          types,
          position: Number(start ?? 0),
          cursor: firstCursor,
          checkedAt: performance.now(),
          tokenHolds: wait.requireValidToken,
          deliver: send,
        }
        send([{ position: firstCursor }])
        while (!wait.signal.aborted) {
          if (isBehind) {
            const viewer = viewerOf({ caller, standing })
            const after = String(follower.position)
            const page = await changesPage(read, viewer, { room_id, types }, { after, limit: pageSize })
            if (page.past_end) follower.cursor = await newest(page.scanned_to)
            follower.cursor = cursors.textOf(page.visible_to) ?? follower.cursor
            follower.position = Number(page.scanned_to ?? 0)
            isBehind = page.has_more
            if (page.events.length > 0) send(page.events.map(event => eventItem(event, caller, cursors)))
          } else {
            const quiet = Math.max(0, interval - (performance.now() - sentAt))
            isBehind = await tails.follow(workspace_id, follower, quiet, wait.signal)
          }
          await listener.read()
          if (wait.signal.aborted) return
          // The feed tail checks the standing of all its followers together; only a stream that it has not checked does so
          // itself.
          if (!isBehind && performance.now() - follower.checkedAt < heartbeat) await wait.requireValidToken()
          else {
            standing = await wait.currentStanding()
            await requireVisibleScope({ ...context, standing }, { room_id })
            follower.checkedAt = performance.now()
          }
          if (performance.now() - sentAt >= interval) send([{ position: follower.cursor }])
        }
      },
    }
  })
