import { read, type Reader } from '../database/statement.ts'
import { viewerValues, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { oneLook, waysTo, type EventFilter, type EventScope } from './event-look-store.ts'
import {
  eventColumns,
  isShownIn,
  mostLooks,
  shownColumns,
  visibleAmong,
  type EventRow,
} from './event-visibility-store.ts'

export interface EventsPage {
  events: EventRow[]
  /** Where to go on: what is older than this position was not looked at. Null at the end. */
  next: string | null
}

/** How many events that the viewer may see a page goes through at most, with those that a filter passes over. */
const mostSeen = { room: 20_000, rooms: 5000 }

/** A page of what happened in the Rooms that the viewer can open, newest first, from before a position. */
export async function eventsPage(
  reader: Reader,
  viewer: Viewer,
  rooms: EventScope,
  filter: EventFilter,
  page: { before: string | null; limit: number },
): Promise<EventsPage> {
  const { limit } = page
  const found: EventRow[] = []
  let left = rooms.room_id === undefined ? mostSeen.rooms : mostSeen.room
  let { before } = page
  let [inVain, deeper] = [0, 1]
  const ways = waysTo(rooms, limit)
  for (let way = ways.shift(); way;) {
    // One more than the page holds tells that it goes on.
    const part = { before, limit: limit + 1 - found.length, left, deeper }
    const look = await oneLook(reader, viewer, rooms, filter, way, part)
    if (look === 'too many Rooms' || 'length' in way) way = ways.shift()
    else deeper *= 4
    if (look === 'too many Rooms') continue
    found.push(...look.events)
    const events = found.slice(0, limit)
    if (found.length > limit) return { events, next: events.at(-1)?.position ?? null }
    left -= look.seen
    if (left === 0) return { events, next: look.seen_to }
    if (look.seen === 0) inVain++
    if (look.looked_to === null || inVain === mostLooks) return { events, next: look.looked_to }
    before = look.looked_to
  }
  throw new Error('Events were not looked for in all Rooms.')
}

/** The position of the newest event that the viewer may see, in one Room or in all, up to a position; null of none. */
export async function newestSeen(
  reader: Reader,
  viewer: Viewer,
  room_id: string | undefined,
  position: string | null,
): Promise<string | null> {
  if (position === null) return null
  const rooms = { room_id, business_id: undefined }
  const all = { actor: null, about: null, types: null, since: null }
  const before = String(BigInt(position) + 1n)
  const newest = await eventsPage(reader, viewer, rooms, all, { before, limit: 1 })
  return newest.events[0]?.position ?? null
}

/** An event of a Room that the viewer can open. */
export const eventById = (reader: Reader, viewer: Viewer, event_id: string): Promise<EventRow | undefined> =>
  reader.one(eventSeen, [...viewerValues(viewer), event_id])

const eventSeen = read<EventRow>(
  'event_seen',
  `select ${shownColumns}
   from (
     select ${eventColumns}, visible.room_title, visible.masked
     from events e cross join lateral (${visibleAmong('select e.room_id as id')}) visible
     where e.workspace_id = $1 and e.id = $5 and e.feed = 'activity'
   ) e
   where ${isShownIn('e.masked')}`,
)
