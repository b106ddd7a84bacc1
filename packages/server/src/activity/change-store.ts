import { read, type Reader } from '../database/statement.ts'
import { maybeVisibleRoomsSql } from '../rooms/visibility/visible-rooms-store.ts'
import { viewerValues, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import {
  eventColumns,
  isOfTypes,
  isSeenIn,
  isShownIn,
  mostLookedAt,
  mostLooks,
  rawDepth,
  shownColumns,
  titleOfRoom,
  visibleAmong,
  type EventRow,
} from './event-visibility-store.ts'

export interface ChangesPage {
  events: EventRow[]
  has_more: boolean
  /** How far was looked, hidden events included: from there it is gone on, and nobody is told. Null where there is no feed. */
  looked_to: string | null
  /** The newest that the viewer may see of what was looked at, of whatever type; null where there was none. */
  seen_to: string | null
  /** The position that was asked from lies past the end, as after the database was set back. */
  past_end: boolean
}

export interface ChangeFilter {
  room_id?: string | undefined
  types?: readonly string[] | undefined
}

/** How many events are looked at for a page, whoever may see them: all that happened since, as a rule. */
const nearDepth = 1000
/** How many that the viewer may see are looked at for a page of some types: of all Rooms as many may come from each. */
const typesDepth = { room: 1000, rooms: 250 }

/** What happened after a position in the Rooms that the viewer can open, in the order in which it was committed. */
export async function changesPage(
  reader: Reader,
  viewer: Viewer,
  filter: ChangeFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<ChangesPage> {
  const near =
    filter.room_id === undefined ? await nearLook(reader, viewer, filter.types, { after, limit }) : null
  if (near) return near
  const found: EventRow[] = []
  let seen_to: string | null = null
  for (let looks = 1, from = after; ; looks++) {
    // One more than the page holds tells that it goes on.
    const look = await farLook(reader, viewer, filter, { after: from, limit: limit + 1 - found.length })
    found.push(...look.events)
    if (found.length > limit) return fullPage(found.slice(0, limit))
    seen_to = look.seen_to ?? seen_to
    const page = { ...look, events: found, seen_to, past_end: looks === 1 && look.past_end }
    if (!look.stopped) return page
    // It would never come to an end: so much is hidden that the page tells of it by its own end.
    if (looks === mostLooks) return { ...page, has_more: true, seen_to: look.looked_to }
    from = look.looked_to
  }
}

function fullPage(events: EventRow[]): ChangesPage {
  const last = events.at(-1)?.position ?? null
  return { events, has_more: true, looked_to: last, seen_to: last, past_end: false }
}

/** The position of the newest event of a Workspace, whoever may see it; null where there is none. */
export async function newestPosition(reader: Reader, workspace_id: string): Promise<string | null> {
  return (await reader.one(newest, [workspace_id]))?.position ?? null
}

/** Looks at what happened since, whoever may see it. Null where that is too much: most of it may be hidden. */
async function nearLook(
  reader: Reader,
  viewer: Viewer,
  types: readonly string[] | undefined,
  { after, limit }: { after: string | null; limit: number },
): Promise<ChangesPage | null> {
  const values = [...viewerValues(viewer), types ?? null, after ?? '0', limit + 1, nearDepth]
  const rows = await reader.many(changesNear, values)
  const [first] = rows
  const found = rows.filter((row): row is EventRow & Extent => row.id !== null)
  if (!first) return { events: [], has_more: false, looked_to: null, seen_to: null, past_end: false }
  if (found.length > limit) return fullPage(found.slice(0, limit))
  const { head, looked_to, seen_to, past_end } = first
  return looked_to === head ? { events: found, has_more: false, looked_to, seen_to, past_end } : null
}

interface FarLook extends ChangesPage {
  /** It stopped for what is hidden behind: has_more is false, and there may be more. */
  stopped: boolean
}

/** Looks at what happened since in each Room that the viewer can open, by its index, however much is hidden from them. */
async function farLook(
  reader: Reader,
  viewer: Viewer,
  { room_id, types }: ChangeFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<FarLook> {
  const width = types ? Math.max(limit, typesDepth[room_id === undefined ? 'rooms' : 'room']) : limit
  const rows = await reader.many(room_id === undefined ? changesOfRooms : changesOfRoom, [
    ...viewerValues(viewer),
    types ?? null,
    after ?? '0',
    limit,
    mostLookedAt,
    width,
    room_id ?? null,
  ])
  const [first] = rows
  const events = rows.filter((row): row is EventRow & FarExtent => row.id !== null)
  if (!first)
    return { events, has_more: false, looked_to: null, seen_to: null, past_end: false, stopped: false }
  const { looked_to, seen_to, past_end, has_more, stopped } = first
  return { events, has_more: has_more, looked_to, seen_to, past_end, stopped }
}

interface Extent {
  head: string
  looked_to: string
  seen_to: string | null
  past_end: boolean
}
interface FarExtent extends Extent {
  has_more: boolean
  stopped: boolean
}
type OrNone<Row> = Row | { [K in keyof Row]: null }

/** A position past the end, as of a database that was set back, counts as the end: what comes after it would be missed. */
const head = `
  select last_position as position, least($6::bigint, last_position) as start, $6::bigint > last_position as past_end
  from feed_positions where workspace_id = $1 and last_position > 0`

const changesNear = read<OrNone<EventRow> & Extent>(
  'changes_near',
  `with head as (${head}
   ), looked_at as materialized (
     select ${eventColumns} from events e
     where e.workspace_id = $1 and e.position > (select start from head) and e.position <= (select start from head) + $8::integer
   ), visible as materialized (${visibleAmong(`select distinct room_id as id from looked_at where feed = 'activity'`)}
   ), seen as materialized (
     select * from looked_at e where ${isSeenIn('visible')}
   )
   select head.position as head, head.past_end, least(head.start + $8, head.position) as looked_to,
     (select max(position) from seen) as seen_to, change.*
   from head left join (
     select ${shownColumns} from (
       select e.*, ${titleOfRoom} as room_title
       from (select * from seen e where ${isOfTypes('$5::text[]')} order by e.position limit $7) e
     ) e
   ) change on true
   order by change.position`,
  'long',
)

/** An event of a visible Room that comes after the start, and before so many hidden ones that it stops. */
const comesNext = `e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity'
  and e.position > (select start from head) and e.position < coalesce((select position from stop), 9223372036854775807)
  and ${isShownIn('visible.masked')}`

/** The next events of all Rooms are among the next ones of those Rooms in which it goes on soonest. */
const changesFar = (name: string, rooms: string) =>
  read<OrNone<EventRow> & FarExtent>(
    name,
    `with head as (${head}
     ), visible as materialized (${visibleAmong(rooms)}
     ), stop as materialized (
       select min(e.position) as position
       from visible cross join lateral (
         select e.position from events e
         where e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity' and e.position > (select start from head)
         order by e.position offset (select ${rawDepth('$7', '$8')}) limit 1
       ) e
       where visible.masked
     ), soonest as materialized (
       select visible.* from visible cross join lateral (
         select e.position from events e where ${comesNext} order by e.position limit 1
       ) e
       order by e.position limit $9::integer + 1
     ), seen as materialized (
       select e.*, visible.room_title, row_number() over (order by e.position) as place
       from soonest visible cross join lateral (
         select ${eventColumns} from events e where ${comesNext} order by e.position limit $9::integer + 1
       ) e
       order by e.position limit $9::integer + 1
     ), extent as (
       select max(position) filter (where place <= $9) as seen_to, count(*) > $9 as has_more from seen
     )
     select head.position as head, head.past_end, extent.seen_to, extent.has_more,
       stop.position is not null and not extent.has_more as stopped,
       case when extent.has_more then extent.seen_to else coalesce(stop.position - 1, head.position) end as looked_to,
       change.*
     from head cross join stop cross join extent left join (
       select ${shownColumns} from seen e where e.place <= $9 and ${isOfTypes('$5::text[]')} order by e.position limit $7
     ) change on true
     order by change.position`,
    'long',
  )

const changesOfRooms = changesFar(
  'changes_of_rooms',
  `select distinct id from (${maybeVisibleRoomsSql({ after: `''`, limit: 'all' })}) own where $10::text is null`,
)
const changesOfRoom = changesFar('changes_of_room', 'select $10 collate "C" as id')

const newest = read<{ position: string }>(
  'feed_newest',
  'select last_position as position from feed_positions where workspace_id = $1 and last_position > 0',
)
