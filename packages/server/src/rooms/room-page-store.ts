import { read, type Reader } from '../database/statement.ts'
import {
  maybeVisibleRoomsSql,
  roomByIdSql,
  roomsAboutBusinessSql,
  subRoomsSql,
} from './visibility/visible-rooms-store.ts'
import { asViewer, levelRowSql, type Viewer } from './visibility/room-visibility-store.ts'
import { joinBusinessSql, joinParentSql, roomColumnsSql, type RoomRow } from './room-store.ts'

export interface RoomFilter {
  business_id: string | undefined
  parent_room_id: string | undefined
  status: string | undefined
  title: string | undefined
}

export interface RoomsPage {
  rooms: RoomRow[]
  /** The id of a Room that the viewer can see, after which the next page begins; null at the end. */
  cursor: string | null
}

/**
 * How many visible Rooms of the Business or the parent one page examines at most. Hidden Rooms are not counted, so that the
 * end of a page does not reveal them.
 */
const mostExamined = 5000

/** How many candidates one scan takes from each source at most. */
const mostCandidates = 5000

/** A page of the Rooms that the viewer can see, by id. It can be short or empty although there are more pages. */
export async function roomsPage(
  reader: Reader,
  viewer: Viewer,
  filter: RoomFilter,
  page: { after: string; limit: number },
): Promise<RoomsPage> {
  const found: RoomRow[] = []
  let { after } = page
  let left = mostExamined
  // One Room more than the page holds shows that there is a next page.
  for (let candidates = page.limit + 1; ; candidates = Math.min(candidates * 8, mostCandidates)) {
    const limit = page.limit + 1 - found.length
    const scan = await scanRooms(reader, viewer, filter, { after, limit, candidates, left })
    found.push(...scan.rooms)
    const rooms = found.slice(0, page.limit)
    if (found.length > page.limit) return { rooms, cursor: rooms.at(-1)?.room_id ?? null }
    left -= scan.visible_count
    if (left === 0) return { rooms, cursor: scan.last_visible }
    if (scan.scanned_to === null) return { rooms, cursor: null }
    after = scan.scanned_to
  }
}

interface Extent {
  /** The last id that was scanned, hidden Rooms included; null if the scan reached the end. */
  scanned_to: string | null
  /** How many visible Rooms were examined, and the id of the last one. */
  visible_count: number
  last_visible: string | null
}

type ScanRow = Extent & (RoomRow | { [K in keyof RoomRow]: null })

async function scanRooms(
  reader: Reader,
  viewer: Viewer,
  { business_id, parent_room_id, status, title }: RoomFilter,
  { after, limit, candidates, left }: { after: string; limit: number; candidates: number; left: number },
): Promise<Extent & { rooms: RoomRow[] }> {
  const statement = parent_room_id ? visibleSubRooms : business_id ? visibleRoomsOfBusiness : visibleRooms
  const rows = await reader.many(statement, {
    ...asViewer(viewer),
    business_id,
    parent_id: parent_room_id,
    status,
    title,
    after,
    limit,
    candidates,
    most_visible: left,
    reads_lists: viewer.reads_lists,
  })
  const [{ scanned_to, visible_count, last_visible } = nothingScanned] = rows
  return { scanned_to, visible_count, last_visible, rooms: rows.flatMap(roomIn) }
}

const nothingScanned: Extent = { scanned_to: null, visible_count: 0, last_visible: null }

/** The Room of a row. The only row of an empty scan has none. */
function roomIn(row: ScanRow): RoomRow[] {
  const { scanned_to, visible_count, last_visible, ...room } = row // oxlint-disable-line no-unused-vars -- left out
  return room.room_id === null ? [] : [room]
}

const candidateRange = { after: ':after', limit: ':candidates' }

/** The id up to which all sources were read, if the limit cut one off; else null. */
const lastIdOfAllSql = (sources: string) =>
  `(select min(last) from (select max(id) as last from ${sources} group by source having count(*) = :candidates) cut_off)`

/**
 * Reads the next candidates of each source and examines them in the order of their ids, up to the id to which all sources
 * were read. A visible Room of a Business or a parent is a candidate by the viewer's access as well as by the filter, so the
 * statement uses whichever of the two reaches further. Only the Rooms of the page are read in full.
 */
const scanStatement = (name: string, byFilter?: string) =>
  read<ScanRow>(
    name,
    `with by_access as materialized (${maybeVisibleRoomsSql(candidateRange)}
     ), by_filter as materialized (${byFilter ?? `select null as source, null collate "C" as id where false`}
     ), ends as materialized (
       select access_to, filter_to, ${byFilter ? `coalesce(filter_to, '~') >= coalesce(access_to, '~')` : 'false'} as use_filter
       from (select ${lastIdOfAllSql('by_access')} as access_to, ${byFilter ? lastIdOfAllSql('by_filter') : 'null'} as filter_to) ends
     ), extent as materialized (
       select case when use_filter then filter_to else access_to end as scanned_to from ends
     ), candidate as materialized (
       select distinct id from (
         select id from by_access where not (select use_filter from ends)
         union all select id from by_filter where (select use_filter from ends)
       ) one
       where id <= coalesce((select scanned_to from extent), '~')
     ), visible as materialized (
       select r.id, r.title, r.status, v.access_level
       from (select id from candidate order by id) candidate
       cross join lateral ${roomByIdSql('candidate.id', 'r', isOfFilter)}
       cross join lateral ${levelRowSql('r')} as v (access_level)
       where v.access_level is not null
       order by candidate.id limit :most_visible
     ), page as materialized (
       select id, access_level from visible
       where (:status::text is null or status = :status) and (:title::text is null or position(lower(:title) in lower(title)) > 0)
       order by id limit :limit
     ), examined as (
       select count(*)::integer as visible_count, max(id) as last_visible from visible
     )
     select extent.scanned_to, examined.visible_count, examined.last_visible, room.*
     from extent cross join examined left join (
       select ${roomColumnsSql('page.access_level', ':reads_lists::boolean')}
       from page cross join lateral ${roomByIdSql('page.id', 'r')} ${joinBusinessSql()} ${joinParentSql}
     ) room on true
     order by room.room_id`,
    'long',
  )

const isOfFilter =
  '(:business_id::text is null or r.business_id = :business_id) and (:parent_id::text is null or r.parent_id = :parent_id)'

const visibleRooms = scanStatement('rooms_visible')
const visibleRoomsOfBusiness = scanStatement(
  'rooms_visible_of_business',
  roomsAboutBusinessSql(':business_id', candidateRange),
)
const visibleSubRooms = scanStatement('rooms_visible_of_parent', subRoomsSql(':parent_id', candidateRange))
