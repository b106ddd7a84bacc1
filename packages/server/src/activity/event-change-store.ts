import { read, type Reader } from '../database/statement.ts'
import { maybeVisibleRoomsSql } from '../rooms/visibility/visible-rooms-store.ts'
import { asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import {
  eventColumns,
  hidesEventsSql,
  isOfTypesSql,
  isVisibleSql,
  isShownInSql,
  mostScanned,
  mostScans,
  hidingDepthSql,
  presentedColumns,
  roomTitleSql,
  visibleRoomsSql,
  type EventRow,
} from './event-visibility-store.ts'

export interface ChangesPage {
  events: EventRow[]
  has_more: boolean
  /** How far the feed was read, hidden events included. The client never gets this position. Null without a feed. */
  scanned_to: string | null
  /** The newest visible event that was read, of any type; null if there was none. */
  visible_to: string | null
  /** The requested position is past the end of the feed, as after the database was restored to an earlier state. */
  past_end: boolean
}

export interface ChangeFilter {
  room_id?: string | undefined
  types?: readonly string[] | undefined
}

/**
 * How many positions the first read of a page covers, visible or not, and as many again if those of another period follow. That
 * is usually everything since the last request.
 */
const recentDepth = 1000
/** How many visible events a page with a filter by type examines: in one Room, or in each of all Rooms. */
const typesDepth = { room: 1000, rooms: 250 }

/** The events after a position in the Rooms that the viewer can see, in the order of commits. */
export async function changesPage(
  reader: Reader,
  viewer: Viewer,
  filter: ChangeFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<ChangesPage> {
  const recent =
    filter.room_id === undefined ? await scanRecent(reader, viewer, filter.types, { after, limit }) : null
  if (recent) return recent
  const found: EventRow[] = []
  let visible_to: string | null = null
  for (let scans = 1, from = after; ; scans++) {
    // One event more than the page holds shows that there is a next page.
    const scan = await scanRooms(reader, viewer, filter, { after: from, limit: limit + 1 - found.length })
    found.push(...scan.events)
    if (found.length > limit) return fullPage(found.slice(0, limit))
    visible_to = scan.visible_to ?? visible_to
    const page = { ...scan, events: found, visible_to, past_end: scans === 1 && scan.past_end }
    if (!scan.stopped) return page
    // The loop must end, although the end of the page then reveals that very many events are hidden.
    if (scans === mostScans) return { ...page, has_more: true, visible_to: scan.scanned_to }
    from = scan.scanned_to
  }
}

function fullPage(events: EventRow[]): ChangesPage {
  const last = events.at(-1)?.position ?? null
  return { events, has_more: true, scanned_to: last, visible_to: last, past_end: false }
}

/** The position of the newest event of a Workspace, visible or not; null if there is none. */
export async function newestPosition(reader: Reader, workspace_id: string): Promise<string | null> {
  return (await reader.one(newest, { workspace_id }))?.position ?? null
}

/** Reads the events after a position, visible or not. Null if there are too many of them: most may be hidden. */
async function scanRecent(
  reader: Reader,
  viewer: Viewer,
  types: readonly string[] | undefined,
  { after, limit }: { after: string | null; limit: number },
): Promise<ChangesPage | null> {
  const rows = await reader.many(recentChanges, {
    ...asViewer(viewer),
    types,
    after: after ?? '0',
    limit: limit + 1,
    depth: recentDepth,
  })
  const [first] = rows
  const found = rows.filter((row): row is EventRow & Extent => row.id !== null)
  if (!first) return { events: [], has_more: false, scanned_to: null, visible_to: null, past_end: false }
  if (found.length > limit) return fullPage(found.slice(0, limit))
  const { head, scanned_to, visible_to, past_end } = first
  return scanned_to === head ? { events: found, has_more: false, scanned_to, visible_to, past_end } : null
}

interface RoomsScan extends ChangesPage {
  /** Very many hidden events follow, so the scan ended before the end of the feed: there may be more although has_more is false. */
  stopped: boolean
}

/** Reads the next events of each Room that the viewer can see, by its index, so that hidden events elsewhere cost nothing. */
async function scanRooms(
  reader: Reader,
  viewer: Viewer,
  { room_id, types }: ChangeFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<RoomsScan> {
  const width = types ? Math.max(limit, typesDepth[room_id === undefined ? 'rooms' : 'room']) : limit
  const rows = await reader.many(room_id === undefined ? changesOfRooms : changesOfRoom, {
    ...asViewer(viewer),
    room_id,
    types,
    after: after ?? '0',
    limit,
    width,
    most_scanned: mostScanned,
  })
  const [first] = rows
  const events = rows.filter((row): row is EventRow & RoomsExtent => row.id !== null)
  if (!first)
    return { events, has_more: false, scanned_to: null, visible_to: null, past_end: false, stopped: false }
  const { scanned_to, visible_to, past_end, goes_on, stopped } = first
  return { events, has_more: goes_on, scanned_to, visible_to, past_end, stopped }
}

interface Extent {
  head: string
  scanned_to: string
  visible_to: string | null
  past_end: boolean
}
interface RoomsExtent extends Extent {
  goes_on: boolean
  stopped: boolean
}
type OrNone<Row> = Row | { [K in keyof Row]: null }

/**
 * A position past the end, as after the database was restored to an earlier state, counts as the end, so that no later event is
 * missed.
 */
const head = `
  select last_position as position, least(:after::bigint, last_position) as start, :after::bigint > last_position as past_end
  from feed_positions where workspace_id = :workspace_id and last_position > 0`

const recentChanges = read<OrNone<EventRow> & Extent>(
  'changes_recent',
  `with head as (${head}
   ), beyond as materialized (
     select e.position from events e
     where e.workspace_id = :workspace_id and e.position > (select start from head) + :depth::integer order by e.position limit 1
   ), gap as materialized (
     select position as behind from beyond where position > (select start from head) + :depth::integer + 1
   ), scanned as materialized (
     select ${eventColumns} from events e
     where e.workspace_id = :workspace_id and e.position > (select start from head) and e.position <= (select start from head) + :depth::integer
     union all
     select ${eventColumns} from events e
     where e.workspace_id = :workspace_id and e.position >= (select behind from gap) and e.position < (select behind from gap) + :depth::integer
   ), visible as materialized (${visibleRoomsSql(`select distinct room_id as id from scanned where feed = 'activity'`)}
   ), shown as materialized (
     select * from scanned e where ${isVisibleSql('visible')}
   )
   select head.position as head, head.past_end,
     case when not exists (select from beyond) then head.position
       else least(coalesce((select behind - 1 from gap), head.start) + :depth, head.position) end as scanned_to,
     (select max(position) from shown) as visible_to, change.*
   from head left join (
     select ${presentedColumns} from (
       select e.*, ${roomTitleSql} as room_title
       from (select * from shown e where ${isOfTypesSql(':types::text[]')} order by e.position limit :limit) e
     ) e
   ) change on true
   order by change.position`,
  'long',
)

/** An event of a visible Room after the start and before `stop`, where too many hidden ones follow. */
const isNextSql = `e.workspace_id = :workspace_id and e.room_id = visible.room_id and e.feed = 'activity'
  and e.position > (select start from head) and e.position < coalesce((select position from stop), 9223372036854775807)
  and ${isShownInSql('visible')}`

/** Reads the Rooms with the earliest next events, one more than the page holds: the events of the page are all among them. */
const changesPerRoom = (name: string, rooms: string) =>
  read<OrNone<EventRow> & RoomsExtent>(
    name,
    `with head as (${head}
     ), visible as materialized (${visibleRoomsSql(rooms)}
     ), stop as materialized (
       select min(e.position) as position
       from visible cross join lateral (
         select e.position from events e
         where e.workspace_id = :workspace_id and e.room_id = visible.room_id and e.feed = 'activity' and e.position > (select start from head)
         order by e.position offset (select ${hidingDepthSql(':limit', ':most_scanned')}) limit 1
       ) e
       where ${hidesEventsSql('visible')}
     ), soonest as materialized (
       select visible.* from visible cross join lateral (
         select e.position from events e where ${isNextSql} order by e.position limit 1
       ) e
       order by e.position limit :width::integer + 1
     ), shown as materialized (
       select e.*, visible.room_title, row_number() over (order by e.position) as number
       from soonest visible cross join lateral (
         select ${eventColumns} from events e where ${isNextSql} order by e.position limit :width::integer + 1
       ) e
       order by e.position limit :width::integer + 1
     ), extent as (
       select max(position) filter (where number <= :width) as visible_to, count(*) > :width as goes_on from shown
     )
     select head.position as head, head.past_end, extent.visible_to, extent.goes_on,
       stop.position is not null and not extent.goes_on as stopped,
       case when extent.goes_on then extent.visible_to else coalesce(stop.position - 1, head.position) end as scanned_to,
       change.*
     from head cross join stop cross join extent left join (
       select ${presentedColumns} from shown e where e.number <= :width and ${isOfTypesSql(':types::text[]')} order by e.position limit :limit
     ) change on true
     order by change.position`,
    'long',
  )

const changesOfRooms = changesPerRoom(
  'changes_of_rooms',
  `select distinct id from (${maybeVisibleRoomsSql({ after: `''`, limit: 'null' })}) own where :room_id::text is null`,
)
const changesOfRoom = changesPerRoom('changes_of_room', 'select :room_id collate "C" as id')

const newest = read<{ position: string }>(
  'feed_newest',
  'select last_position as position from feed_positions where workspace_id = :workspace_id and last_position > 0',
)
