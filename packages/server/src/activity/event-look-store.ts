import { read, type Reader, type Statement } from '../database/statement.ts'
import {
  roomsAboutBusinessSql,
  maybeVisibleRoomsSql,
  roomsWithAttachmentSql,
} from '../rooms/visibility/visible-rooms-store.ts'
import { hasBusinessSql, viewerValues, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import {
  eventColumns,
  isOfTypes,
  isSeenIn,
  isShownIn,
  mostLookedAt,
  rawDepth,
  shownColumns,
  titleOfRoom,
  visibleAmong,
  type EventRow,
} from './event-visibility-store.ts'

/** Which of the events somebody wants to see. */
export interface EventFilter {
  actor: string | null
  about: string | null
  types: readonly string[] | null
  /** In milliseconds since 1970. */
  since: number | null
}

/** Of which Rooms events are asked for: of one, of those that have a Business, or of all. */
export interface EventScope {
  room_id: string | undefined
  business_id: string | undefined
}

/** How far a look came. */
interface Extent {
  /** Down to which position was looked, hidden events included; null where it came to the end. */
  looked_to: string | null
  /** How many events that the viewer may see were gone through, and the oldest of them. */
  seen: number
  seen_to: string | null
}

type LookRow = (EventRow | { [K in keyof EventRow]: null }) & Extent & { too_many: boolean }

/** A way to look: at the newest events of each Room, if they are no more than so many, or at so many of the last of all. */
export type Way = { statement: Statement<LookRow, 'read'> } & ({ most: number | null } | { length: number })

/**
 * Begins with whichever is less: the Rooms that somebody can open, or the last events of the Workspace, of which most may
 * be hidden from them. As both show the same events, neither a page nor its cursor tells which way was taken.
 */
export function waysTo({ room_id, business_id }: EventScope, limit: number): Way[] {
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

/** Looks once for the events that a page lacks, from before a position. */
export async function oneLook(
  reader: Reader,
  viewer: Viewer,
  { room_id, business_id }: EventScope,
  { actor, about, types, since }: EventFilter,
  way: Way,
  { before, limit, left, deeper }: { before: string | null; limit: number; left: number; deeper: number },
): Promise<(Extent & { events: EventRow[] }) | 'too many Rooms'> {
  const filters = [actor, about, types, since]
  const values = [...viewerValues(viewer), room_id ?? business_id, ...filters, before, limit, left]
  const isFiltered = filters.some(filter => filter !== null)
  const rest = 'length' in way ? [way.length] : [mostLookedAt, way.most, isFiltered ? deeper : null]
  const rows = await reader.many(way.statement, [...values, ...rest])
  const [extent] = rows
  if (!extent || extent.too_many) return 'too many Rooms'
  const { looked_to, seen, seen_to } = extent
  const events = rows.filter((row): row is EventRow & LookRow => row.id !== null)
  return { looked_to, seen, seen_to, events }
}

/** Whether the event `e` gives somebody something to do, or to know: that they were let into a Room is neither. */
const isGivenTo = (user_id: string) =>
  `(e.about ->> 'user_id')::uuid = ${user_id} and e.type not like 'participant.%'`

const isBefore = 'e.position < coalesce($10::bigint, 9223372036854775807)'

/** Of what was seen, the events that the page asks for, with how far was looked. */
const pageOfSeen = `extent as (
    select count(*)::integer as seen, min(position) as seen_to from seen
  ), page as (
    select e.*, ${titleOfRoom} as room_title
    from (
      select * from seen e
      where ($6::uuid is null or (e.actor ->> 'user_id')::uuid = $6) and ($7::uuid is null or ${isGivenTo('$7')})
        and ${isOfTypes('$8::text[]')} and ($9::double precision is null or e.occurred_at >= to_timestamp($9 / 1000))
      order by e.position desc limit $11
    ) e
  )`

/**
 * Takes the newest events of each Room by its index: without a filter no more than the page holds, of no more Rooms, and
 * with one as many as there are left to look at, from all Rooms together. Down to the first place where a Room has more than
 * was taken, all Rooms were looked through: it is likely to be in one of those where something happened last (`busiest`), and
 * what lies behind it is taken from no other Room. Hidden events count for nothing in this, but for where a masked Room has more of
 * them than are looked at: there it stops as well. With more candidates than $14 it does nothing and says so.
 */
const newestOf = (name: string, candidates: string, condition?: string) =>
  read<LookRow>(
    name,
    `with ${candidates}, visible as materialized (${visibleAmong('select id from candidate', condition)}
     ), depth as materialized (
       select ${rawDepth('$11', '$13')} as raw, case when $15::bigint is null then $11::bigint
         else least($12::bigint, greatest($11, $12 / greatest(count(*), 1)) * $15) end as shown
       from visible
     ), stop as materialized (
       select max(e.position) as position
       from visible cross join lateral (
         select e.position from events e
         where e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity' and ${isBefore}
         order by e.position desc offset (select raw - 1 from depth) limit 1
       ) e
       where visible.masked
     ), newest as materialized (
       select visible.room_id, visible.masked, e.position
       from visible cross join lateral (
         select e.position from events e where ${isNext} order by e.position desc limit 1
       ) e
       order by e.position desc limit case when $15 is null then $11::bigint else $12 end
     ), busiest as materialized (
       select max(e.position) as position
       from (select * from newest order by position desc limit 20) visible cross join lateral (
         select e.position from events e where ${isNext} order by e.position desc offset (select shown - 1 from depth) limit 1
       ) e
     ), looked_at as materialized (
       select e.* from newest visible cross join lateral (
         select ${eventColumns} from events e
         where ${isNext} and e.position >= coalesce((select position from busiest), 0)
         order by e.position desc limit (select shown from depth)
       ) e
     ), reach as materialized (
       select greatest((select position from stop), (select position from busiest), max(lowest)) as looked_to
       from (select min(position) as lowest from looked_at group by room_id having count(*) = (select shown from depth)) one
     ), seen as materialized (
       select * from looked_at e where e.position >= coalesce((select looked_to from reach), 0)
       order by e.position desc limit $12
     ), ${pageOfSeen}
     select coalesce((select too_many from candidates), false) as too_many, reach.looked_to, extent.seen, extent.seen_to, ${shownColumns}
     from reach cross join extent left join page e on true order by e.position desc`,
    'long',
  )

/** An event of a visible Room that comes before a position, and behind so many hidden ones that it stops. */
const isNext = `e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity' and ${isBefore}
  and e.position >= coalesce((select position from stop), 0) and ${isShownIn('visible.masked')}`

/**
 * Looks at the last events of the Workspace, whoever may see them: a stretch of positions, of which each is that of one
 * event, so that no plan can go through more.
 */
const tailOf = (name: string, condition?: string) =>
  read<LookRow>(
    name,
    `with stretch as materialized (
       select least($10::bigint, last_position + 1) as above, least($10::bigint, last_position + 1) - $13 as lowest
       from feed_positions where workspace_id = $1
     ), looked_at as materialized (
       select ${eventColumns} from events e
       where e.workspace_id = $1 and e.position < (select above from stretch) and e.position >= (select lowest from stretch)
     ), visible as materialized (${visibleAmong(`select distinct room_id as id from looked_at where feed = 'activity'`, condition)}
     ), seen as materialized (
       select * from looked_at e where ${isSeenIn('visible')} order by e.position desc limit $12
     ), ${pageOfSeen}
     select false as too_many, (select lowest from stretch where lowest > 1) as looked_to, extent.seen, extent.seen_to, ${shownColumns}
     from extent left join page e on true order by e.position desc`,
    'long',
  )

const sources = { after: `''`, limit: '$14::bigint + 1' }

/** Whether one of the sources has more Rooms than are wanted. */
const isCutOff = (rooms: string) => `exists (select from ${rooms} group by source having count(*) > $14)`

const newestOfRoom = newestOf(
  'events_of_room',
  `candidates as (select $14::bigint is not null as too_many), candidate as (select $5 collate "C" as id)`,
)
const newestOfRooms = newestOf(
  'events_of_rooms',
  `own as materialized (${maybeVisibleRoomsSql(sources)}
   ), candidates as materialized (select ${isCutOff('own')} as too_many
   ), candidate as materialized (
     select distinct id from own where not (select too_many from candidates) and $5::text is null
   )`,
)
const tailOfRooms = tailOf('events_tail', '$5::text is null')
const newestOfBusiness = newestOf(
  'events_of_business',
  `own as materialized (${maybeVisibleRoomsSql(sources)}
   ), having_it as materialized (${roomsAboutBusinessSql('$5', sources)} union all ${roomsWithAttachmentSql('$5', sources)}
   ), fewer as materialized (
     select case when ${isCutOff('own')} then case when not ${isCutOff('having_it')} then 'having it' end
       when ${isCutOff('having_it')} or (select count(*) from own) < (select count(*) from having_it) then 'own'
       else 'having it' end as rooms
   ), candidates as materialized (select rooms is null as too_many from fewer
   ), candidate as materialized (
     select id from own where (select rooms from fewer) = 'own'
     union select id from having_it where (select rooms from fewer) = 'having it'
   )`,
  hasBusinessSql('r', '$5'),
)
const tailOfBusiness = tailOf('events_tail_of_business', hasBusinessSql('r', '$5'))
