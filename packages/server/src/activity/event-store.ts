import { read, type Reader } from '../database/statement.ts'
import { asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { scanEvents, scansFor, type EventFilter, type EventScope } from './event-scan-store.ts'
import {
  eventColumns,
  isShownInSql,
  mostScans,
  presentedColumns,
  visibleRoomsSql,
  type EventRow,
} from './event-visibility-store.ts'

export interface EventsPage {
  events: EventRow[]
  /** The position before which the next page begins; null at the end. */
  next: string | null
}

/** How many visible events a page examines at most, including those that the filter excludes. */
const mostExamined = { room: 20_000, rooms: 5000 }

/** A page of the events in the Rooms that the viewer can see, newest first, from before a position. */
export async function eventsPage(
  reader: Reader,
  viewer: Viewer,
  rooms: EventScope,
  filter: EventFilter,
  page: { before: string | null; limit: number },
): Promise<EventsPage> {
  const { limit } = page
  const found: EventRow[] = []
  let left = rooms.room_id === undefined ? mostExamined.rooms : mostExamined.room
  let { before } = page
  let [emptyScans, deeper] = [0, 1]
  const scans = scansFor(rooms, limit)
  for (let scan = scans.shift(); scan;) {
    // One event more than the page holds shows that there is a next page.
    const part = { before, limit: limit + 1 - found.length, left, deeper }
    const scanned = await scanEvents(reader, viewer, rooms, filter, scan, part)
    if (scanned === 'too many Rooms' || 'length' in scan) scan = scans.shift()
    else deeper *= 4
    if (scanned === 'too many Rooms') continue
    found.push(...scanned.events)
    const events = found.slice(0, limit)
    if (found.length > limit) return { events, next: events.at(-1)?.position ?? null }
    left -= scanned.visible_count
    if (left === 0) return { events, next: scanned.oldest_visible }
    if (scanned.visible_count === 0) emptyScans++
    if (scanned.scanned_to === null || emptyScans === mostScans) return { events, next: scanned.scanned_to }
    before = scanned.scanned_to
  }
  throw new Error('The last scan did not reach the end of the events.')
}

/** The position of the newest visible event, in one Room or in all, up to a position; null if there is none. */
export async function newestVisiblePosition(
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

/** An event of a Room that the viewer can see. */
export const eventById = (reader: Reader, viewer: Viewer, event_id: string): Promise<EventRow | undefined> =>
  reader.one(visibleEventById, { ...asViewer(viewer), event_id })

const visibleEventById = read<EventRow>(
  'event_visible',
  `select ${presentedColumns}
   from (
     select ${eventColumns}, visible.room_title, visible.masked, visible.restricted
     from events e cross join lateral (${visibleRoomsSql('select e.room_id as id')}) visible
     where e.workspace_id = :workspace_id and e.id = :event_id and e.feed = 'activity'
   ) e
   where ${isShownInSql('e')}`,
)
