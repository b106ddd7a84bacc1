import { read, type Reader } from '../database/statement.ts'
import { roomOf, roomsAboutBusiness, roomsOfParent, roomsOfReader } from './room-reach-store.ts'
import { levelIn, viewerValues, type Viewer } from './room-visibility-store.ts'
import { roomColumns, withBusiness, withParent, type RoomRow } from './room-store.ts'

export interface RoomFilter {
  business_id: string | undefined
  parent_room_id: string | undefined
  status: string | undefined
  title: string | undefined
}

export interface RoomsPage {
  rooms: RoomRow[]
  /** The Room to go on behind, one that the viewer can see; null at the end. */
  cursor: string | null
}

/**
 * How many Rooms that the viewer can see one page goes through, of the Business or the parent that it asks for. Hidden ones
 * are not counted: the page would tell of them by its end.
 */
const mostSeen = 5000

/** How many candidates one look takes from each source at most. */
const widest = 5000

/** A page of the Rooms that the viewer can see, by id. It may be short, or empty, though it goes on. */
export async function roomsPage(
  reader: Reader,
  viewer: Viewer,
  filter: RoomFilter,
  page: { after: string; limit: number },
): Promise<RoomsPage> {
  const found: RoomRow[] = []
  let { after } = page
  let left = mostSeen
  // One more than the page holds tells that it goes on.
  for (let width = page.limit + 1; ; width = Math.min(width * 8, widest)) {
    const limit = page.limit + 1 - found.length
    const look = await oneLook(reader, viewer, filter, { after, limit, width, left })
    found.push(...look.rooms)
    const rooms = found.slice(0, page.limit)
    if (found.length > page.limit) return { rooms, cursor: rooms.at(-1)?.room_id ?? null }
    left -= look.seen
    if (left === 0) return { rooms, cursor: look.seen_to }
    if (look.looked_to === null) return { rooms, cursor: null }
    after = look.looked_to
  }
}

interface Extent {
  /** Up to which id was looked, hidden Rooms included; null where it came to the end. */
  looked_to: string | null
  /** How many Rooms that the viewer can see were gone through, and the last of them. */
  seen: number
  seen_to: string | null
}

type LookRow = Extent & (RoomRow | { [K in keyof RoomRow]: null })

async function oneLook(
  reader: Reader,
  viewer: Viewer,
  { business_id, parent_room_id, status, title }: RoomFilter,
  { after, limit, width, left }: { after: string; limit: number; width: number; left: number },
): Promise<Extent & { rooms: RoomRow[] }> {
  const statement = parent_room_id ? roomsSeenOfParent : business_id ? roomsSeenOfBusiness : roomsSeen
  const values = [...viewerValues(viewer), business_id, parent_room_id, status, title, after, limit]
  const rows = await reader.many(statement, [...values, width, left])
  const [{ looked_to, seen, seen_to } = { looked_to: null, seen: 0, seen_to: null }] = rows
  return { looked_to, seen, seen_to, rooms: rows.flatMap(roomIn) }
}

function roomIn(row: LookRow): RoomRow[] {
  const { looked_to, seen, seen_to, ...room } = row // oxlint-disable-line no-unused-vars -- left out
  return room.room_id === null ? [] : [room]
}

const stretch = { behind: '$9', most: '$11' }

/** Up to where sources that are cut off were looked at, all of them; null where none is. */
const reachOf = (sources: string) =>
  `(select min(last) from (select max(id) as last from ${sources} group by source having count(*) = $11) cut_off)`

/**
 * Takes the next candidates of each source and goes through them in the order of their ids, as far as all sources were
 * looked at. A Room of a Business or a parent is a candidate of the viewer's as well, so that of the two ways to find it
 * the one is taken that leads further. Only what the page shows is read in full.
 */
const looksAt = (name: string, narrowed?: string) =>
  read<LookRow>(
    name,
    `with own as materialized (${roomsOfReader(stretch)}
     ), narrowed as materialized (${narrowed ?? `select null as source, null collate "C" as id where false`}
     ), reach as materialized (
       select own_to, narrowed_to, ${narrowed ? `coalesce(narrowed_to, '~') >= coalesce(own_to, '~')` : 'false'} as by_filter
       from (select ${reachOf('own')} as own_to, ${narrowed ? reachOf('narrowed') : 'null'} as narrowed_to) ends
     ), extent as materialized (
       select case when by_filter then narrowed_to else own_to end as looked_to from reach
     ), candidate as materialized (
       select distinct id from (
         select id from own where not (select by_filter from reach)
         union all select id from narrowed where (select by_filter from reach)
       ) one
       where id <= coalesce((select looked_to from extent), '~')
     ), visible as materialized (
       select r.id, r.title, r.status, v.access_level
       from (select id from candidate order by id) candidate
       cross join lateral ${roomOf('candidate.id', 'r', ofFilter)}
       cross join lateral (select ${levelIn('r')} as access_level offset 0) v
       where v.access_level is not null
       order by candidate.id limit $12
     ), page as materialized (
       select id, access_level from visible
       where ($7::text is null or status = $7) and ($8::text is null or position(lower($8) in lower(title)) > 0)
       order by id limit $10
     ), seen as (
       select count(*)::integer as seen, max(id) as seen_to from visible
     )
     select extent.looked_to, seen.seen, seen.seen_to, room.*
     from extent cross join seen left join (
       select ${roomColumns('page.access_level')}
       from page cross join lateral ${roomOf('page.id', 'r')} ${withBusiness()} ${withParent}
     ) room on true
     order by room.room_id`,
    'long',
  )

const ofFilter = '($5::text is null or r.business_id = $5) and ($6::text is null or r.parent_id = $6)'

const roomsSeen = looksAt('rooms_seen')
const roomsSeenOfBusiness = looksAt('rooms_seen_of_business', roomsAboutBusiness('$5', stretch))
const roomsSeenOfParent = looksAt('rooms_seen_of_parent', roomsOfParent('$6', stretch))
