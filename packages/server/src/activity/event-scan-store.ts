import { read, type Reader, type Statement } from '../database/statement.ts'
import {
  roomsAboutBusinessSql,
  maybeVisibleRoomsSql,
  roomsWithAttachmentSql,
} from '../rooms/visibility/visible-rooms-store.ts'
import { isKnownPersonSql, masksGuestsSql } from '../rooms/visibility/masked-people-store.ts'
import {
  hasBusinessSql,
  participantLevelSql,
  asViewer,
  type Viewer,
} from '../rooms/visibility/room-visibility-store.ts'
import {
  eventColumns,
  hidesEventsSql,
  isOfTypesSql,
  isVisibleSql,
  isShownInSql,
  mostScanned,
  hidingDepthSql,
  presentedColumns,
  roomTitleSql,
  visibleRoomsSql,
  type EventRow,
} from './event-visibility-store.ts'

/** Which events a client wants. */
export interface EventFilter {
  actor: string | null
  about: string | null
  types: readonly string[] | null
  /** In milliseconds since 1970. */
  since: number | null
}

/** The Rooms whose events a client wants: one, those with a Business, or all. */
export interface EventScope {
  room_id: string | undefined
  business_id: string | undefined
}

/** How far a scan came. */
interface Extent {
  /** The position down to which it read, hidden events included; null if it reached the end. */
  scanned_to: string | null
  /** How many visible events it examined, and the position of the oldest. */
  visible_count: number
  oldest_visible: string | null
}

type ScanRow = (EventRow | { [K in keyof EventRow]: null }) & Extent & { too_many: boolean }

/**
 * A scan of the newest events of each Room, unless there are more than `most` Rooms; or of the last `length` positions of the
 * Workspace.
 */
export type Scan = { statement: Statement<ScanRow, 'read'> } & ({ most: number | null } | { length: number })

/**
 * The scans to try, cheapest first. It depends on the data whether few Rooms are visible, or few of the last events are hidden.
 * Both kinds of scan return the same events, so neither a page nor its cursor reveals which was used.
 *
 * The newest 20 events of 100,000 Rooms with one each take 698 buffers for a member of all Rooms, 39,229 for one of 5,000 and
 * 10,754 for one of 500. With the scan of each Room alone they take 1,804,808, 90,393 and 9,307; with that of the last 20,000
 * positions alone 242,593, 147,057 and 142,557.
 */
export function scansFor({ room_id, business_id }: EventScope, limit: number): Scan[] {
  if (room_id !== undefined) return [{ statement: newestOfRoom, most: null }]
  const newest = { statement: business_id === undefined ? newestOfRooms : newestOfBusiness }
  const tail = { statement: business_id === undefined ? tailOfRooms : tailOfBusiness }
  return [
    { ...newest, most: 200 },
    { ...tail, length: 10 + limit * 2 },
    { ...tail, length: 100 + limit * 10 },
    { ...newest, most: 1000 },
    { ...tail, length: 5000 },
    { ...newest, most: 10_000 },
    { ...tail, length: 20_000 },
    { ...newest, most: null },
  ]
}

/** Scans once for the events that a page still needs, from before a position. */
export async function scanEvents(
  reader: Reader,
  viewer: Viewer,
  { room_id, business_id }: EventScope,
  { actor, about, types, since }: EventFilter,
  scan: Scan,
  { before, limit, left, deeper }: { before: string | null; limit: number; left: number; deeper: number },
): Promise<(Extent & { events: EventRow[] }) | 'too many Rooms'> {
  const isFiltered = [actor, about, types, since].some(filter => filter !== null)
  const rows = await reader.many(scan.statement, {
    ...asViewer(viewer),
    room_id,
    business_id,
    actor_id: actor,
    about_id: about,
    types,
    since,
    before,
    limit,
    most_examined: left,
    ...('length' in scan
      ? { length: scan.length }
      : { most_scanned: mostScanned, most_rooms: scan.most, deeper: isFiltered ? deeper : null }),
  })
  const [extent] = rows
  if (!extent || extent.too_many) return 'too many Rooms'
  const { scanned_to, visible_count, oldest_visible } = extent
  const events = rows.filter((row): row is EventRow & ScanRow => row.id !== null)
  return { scanned_to, visible_count, oldest_visible, events }
}

/** Whether the event `e` is of interest to a user as its object, which events about their own participation are not. */
const concernsUserSql = (user_id: string) =>
  `(e.about ->> 'user_id')::uuid = ${user_id} and e.type not like 'participant.%'`

const isBeforeSql = 'e.position < coalesce(:before::bigint, 9223372036854775807)'

/** Selects the events of the page from those that were examined, and how far the scan came. */
const pageSql = `extent as (
    select count(*)::integer as visible_count, min(position) as oldest_visible from examined
  ), page as (
    select e.*, ${roomTitleSql} as room_title
    from (
      select * from examined e
      where (:actor_id::uuid is null or (e.actor ->> 'user_id')::uuid = :actor_id) and (:about_id::uuid is null or ${concernsUserSql(':about_id')})
        and ${isOfTypesSql(':types::text[]')} and (:since::double precision is null or e.occurred_at >= to_timestamp(:since / 1000))
      order by e.position desc limit :limit
    ) e
  )`

/**
 * Reads the newest events of each Room by its index. Without a filter that is at most a page of events from each of as many
 * Rooms; with a filter, the events that may still be examined, divided among all Rooms.
 * The scan is complete down to the highest position at which a Room has more events than were read. That is probably a Room
 * with very recent events, so `busiest` estimates it first and nothing older is read from other Rooms. Hidden events are
 * skipped, but in a Room that may hide some the scan stops after a number of them. With more candidates than
 * `:most_rooms` the statement reads nothing and says so.
 */
const newestPerRoom = (name: string, candidates: string, condition?: string) =>
  read<ScanRow>(
    name,
    `with ${candidates}, visible as materialized (${visibleRoomsSql('select id from candidate', condition)}
     ), depth as materialized (
       select ${hidingDepthSql(':limit', ':most_scanned')} as raw, case when :deeper::bigint is null then :limit::bigint
         else least(:most_examined::bigint, greatest(:limit, :most_examined / greatest(count(*), 1)) * :deeper) end as shown
       from visible
     ), stop as materialized (
       select max(e.position) as position
       from visible cross join lateral (
         select e.position from events e
         where e.workspace_id = :workspace_id and e.room_id = visible.room_id and e.feed = 'activity' and ${isBeforeSql}
         order by e.position desc offset (select raw - 1 from depth) limit 1
       ) e
       where ${hidesEventsSql('visible')}
     ), newest as materialized (
       select visible.room_id, visible.masked, visible.restricted, e.position
       from visible cross join lateral (
         select e.position from events e where ${isNextSql} order by e.position desc limit 1
       ) e
       order by e.position desc limit case when :deeper is null then :limit::bigint else :most_examined end
     ), busiest as materialized (
       select max(e.position) as position
       from (select * from newest order by position desc limit 20) visible cross join lateral (
         select e.position from events e where ${isNextSql} order by e.position desc offset (select shown - 1 from depth) limit 1
       ) e
     ), scanned as materialized (
       select e.* from newest visible cross join lateral (
         select ${eventColumns} from events e
         where ${isNextSql} and e.position >= coalesce((select position from busiest), 0)
         order by e.position desc limit (select shown from depth)
       ) e
     ), scan_end as materialized (
       select greatest((select position from stop), (select position from busiest), max(lowest)) as scanned_to
       from (select min(position) as lowest from scanned group by room_id having count(*) = (select shown from depth)) one
     ), examined as materialized (
       select * from scanned e where e.position >= coalesce((select scanned_to from scan_end), 0)
       order by e.position desc limit :most_examined
     ), ${pageSql}
     select coalesce((select too_many from candidates), false) as too_many, scan_end.scanned_to, extent.visible_count, extent.oldest_visible, ${presentedColumns}
     from scan_end cross join extent left join page e on true order by e.position desc`,
    'long',
  )

/** An event of a visible Room before the given position and after `stop`, before which too many hidden ones lie. */
const isNextSql = `e.workspace_id = :workspace_id and e.room_id = visible.room_id and e.feed = 'activity' and ${isBeforeSql}
  and e.position >= coalesce((select position from stop), 0) and ${isShownInSql('visible')}`

/**
 * Reads a range of the last positions of the Workspace, visible or not. A position has at most one event, so no plan can read
 * more rows than that. The range begins at an event: between two periods there are very many positions without one.
 */
const latestOfWorkspace = (name: string, condition?: string) =>
  read<ScanRow>(
    name,
    `with tail_range as materialized (
       select newest.position + 1 as above, newest.position + 1 - :length as lowest
       from (
         select e.position from events e where e.workspace_id = :workspace_id and ${isBeforeSql} order by e.position desc limit 1
       ) newest
     ), scanned as materialized (
       select ${eventColumns} from events e
       where e.workspace_id = :workspace_id and e.position < (select above from tail_range) and e.position >= (select lowest from tail_range)
     ), visible as materialized (${visibleRoomsSql(`select distinct room_id as id from scanned where feed = 'activity'`, condition)}
     ), examined as materialized (
       select * from scanned e where ${isVisibleSql('visible')} order by e.position desc limit :most_examined
     ), ${pageSql}
     select false as too_many, (select lowest from tail_range where lowest > 1) as scanned_to, extent.visible_count, extent.oldest_visible, ${presentedColumns}
     from extent left join page e on true order by e.position desc`,
    'long',
  )

const sources = { after: `''`, limit: ':most_rooms::bigint + 1' }

/** Whether one of the sources has more Rooms than `:most_rooms`. */
const isCutOffSql = (rooms: string) =>
  `exists (select from ${rooms} group by source having count(*) > :most_rooms)`

/** Whether the Room `r` has the Business `:business_id`, as far as the viewer may know: not by an attachment of a hidden guest. */
const hasKnownBusinessSql = hasBusinessSql(
  'r',
  ':business_id',
  `(:is_member::boolean or ${isKnownPersonSql('a.attached_by', ':viewer_id::uuid')} or not ${masksGuestsSql('r', participantLevelSql('r'))})`,
)

const newestOfRoom = newestPerRoom(
  'events_of_room',
  `candidates as (select :most_rooms::bigint is not null as too_many), candidate as (select :room_id collate "C" as id)`,
)
const newestOfRooms = newestPerRoom(
  'events_of_rooms',
  `by_access as materialized (${maybeVisibleRoomsSql(sources)}
   ), candidates as materialized (select ${isCutOffSql('by_access')} as too_many
   ), candidate as materialized (
     select distinct id from by_access where not (select too_many from candidates) and :business_id::text is null
   )`,
)
const tailOfRooms = latestOfWorkspace('events_tail', ':business_id::text is null')
const newestOfBusiness = newestPerRoom(
  'events_of_business',
  `by_access as materialized (${maybeVisibleRoomsSql(sources)}
   ), with_business as materialized (${roomsAboutBusinessSql(':business_id', sources)} union all ${roomsWithAttachmentSql(':business_id', sources)}
   ), fewer as materialized (
     select case when ${isCutOffSql('by_access')} then case when not ${isCutOffSql('with_business')} then 'with business' end
       when ${isCutOffSql('with_business')} or (select count(*) from by_access) < (select count(*) from with_business) then 'by access'
       else 'with business' end as rooms
   ), candidates as materialized (select rooms is null as too_many from fewer
   ), candidate as materialized (
     select id from by_access where (select rooms from fewer) = 'by access'
     union select id from with_business where (select rooms from fewer) = 'with business'
   )`,
  hasKnownBusinessSql,
)
const tailOfBusiness = latestOfWorkspace('events_tail_of_business', hasKnownBusinessSql)
