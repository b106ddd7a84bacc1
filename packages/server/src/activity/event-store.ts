import type { SubjectType } from '@wbs/contract/activity'
import type { Actor, EventType } from '@wbs/contract/events'
import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../database/statement.ts'
import { hasBusiness, isMember, levelIn, viewerValues, type Viewer } from '../rooms/room-sight-store.ts'

/** An event of a Room that somebody can open, with the Room's title as it is now. */
export interface EventRow {
  position: string
  id: Id<'evt'>
  type: EventType
  occurred_at: string
  room_id: Id<'rom'>
  room_title: string
  actor: Actor
  subject: { type: SubjectType; id: string; name: string | null }
  about: { user_id: string | null; email: string | null; name: string | null } | null
  data: Record<string, unknown>
}

/** Which of the events somebody wants to see. */
export interface EventFilter {
  actor: string | null
  about: string | null
  types: readonly string[] | null
  /** In milliseconds since 1970. */
  since: number | null
}

export interface EventsPage {
  events: EventRow[]
  /** Where to go on: what is older than this position was not looked at. Null at the end. */
  next: string | null
}

/** How many events one look for a page goes through at most: those that a filter passes over, and hidden ones. */
export const mostLookedAt = 20_000

/**
 * How often it looks on where all that it came to was hidden from the viewer, in a Room that masks people from each other.
 * Only past so many would a page tell by its end that something is hidden.
 */
export const mostLooks = 10

/** A page of what happened in the Rooms that the viewer can open, newest first, from before a position. */
export async function eventsPage(
  reader: Reader,
  viewer: Viewer,
  rooms: { room_id: string | undefined; business_id: string | undefined },
  filter: EventFilter,
  page: { before: string | null; limit: number },
): Promise<EventsPage> {
  const { limit } = page
  const found: EventRow[] = []
  let before = page.before
  for (let looks = 1; ; looks++) {
    // One more than the page holds tells that it goes on.
    const look = await oneLook(reader, viewer, rooms, filter, { before, limit: limit + 1 - found.length })
    found.push(...look.events)
    const events = found.slice(0, limit)
    if (found.length > limit) return { events, next: events.at(-1)?.position ?? null }
    if (look.stopped_at === null || looks === mostLooks) return { events, next: look.stopped_at ?? look.next }
    before = look.stopped_at
  }
}

interface Look extends EventsPage {
  /** It stopped at this position for what is hidden before it; null where it did not. */
  stopped_at: string | null
}

async function oneLook(
  reader: Reader,
  viewer: Viewer,
  rooms: { room_id: string | undefined; business_id: string | undefined },
  filter: EventFilter,
  page: { before: string | null; limit: number },
): Promise<Look> {
  const { room_id, business_id } = rooms
  const statement = room_id ? eventsOfRoom : business_id ? eventsOfBusiness : eventsOfRooms
  const { actor, about, types, since } = filter
  const rows = await reader.many(statement, [
    ...viewerValues(viewer),
    room_id ?? business_id ?? null,
    actor,
    about,
    types,
    since,
    page.before,
    page.limit,
    mostLookedAt,
  ])
  return {
    events: rows.filter((row): row is EventRow & PageRow => row.id !== null),
    next: rows[0]?.looked_down_to ?? null,
    stopped_at: rows[0]?.stopped_at ?? null,
  }
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

type PageRow = (EventRow | { [K in keyof EventRow]: null }) & {
  looked_down_to: string | null
  stopped_at: string | null
}

/**
 * Rooms that the viewer, $1 to $4, can open. A Room may hide people from outside the Workspace from each other; `masked`
 * says that it does so from this viewer, who is one of them and does not manage the Room.
 */
export const visibleRooms = (condition: string) => `
  select r.id as room_id, r.title as room_title,
    r.participant_visibility = 'managers' and not $3::boolean and v.access_level < 'full_access' as masked
  from rooms r cross join lateral (select ${levelIn('r')} as access_level) v
  where r.workspace_id = $1 and v.access_level is not null and ${condition}`

/** Whether a user is nobody, the viewer, or somebody of the Workspace: whom the viewer may see in a masked Room. */
const isNoRival = (user_id: string) => `(
  ${user_id} is null or ${user_id} = $2::uuid or ${isMember(user_id)})`

/**
 * Whether the viewer may see the event `e` of a Room that they can open, which is masked or not. An invitation is of
 * somebody from outside.
 */
export const isShownIn = (masked: string) => `(not ${masked} or
  ${isNoRival(`(e.actor ->> 'user_id')::uuid`)} and ${isNoRival(`(e.about ->> 'user_id')::uuid`)}
  and (e.subject ->> 'type' <> 'participant' or exists (
    select from room_participants p
    where p.workspace_id = $1 and p.room_id = e.room_id and p.id::text = e.subject ->> 'id'
      and p.user_id is not null and ${isNoRival('p.user_id')})))`

/** Whether the event `e` gives somebody something to do, or to know: that they were let into a Room is neither. */
const isGivenTo = (user_id: string) =>
  `(e.about ->> 'user_id')::uuid = ${user_id} and e.type not like 'participant.%'`

/** Whether the event `e` is of one of some types or kinds; null takes all. */
export const isOfTypes = (types: string) =>
  `(${types} is null or e.type = any (${types}) or split_part(e.type, '.', 1) || '.*' = any (${types}))`

export const eventColumns =
  'e.workspace_id, e.position, e.id, e.type, e.feed, e.occurred_at, e.actor, e.subject, e.about, e.room_id, e.data'

/** An event as it is given out. Keys do not know the name of whom they act for. */
export const shownColumns = `e.position, e.id, e.type, e.occurred_at, e.room_id, e.room_title, e.subject, e.about, e.data,
  case when e.actor ->> 'name' is null and e.actor ->> 'user_id' is not null
    then e.actor || jsonb_build_object('name', (select u.name from users u where u.id = (e.actor ->> 'user_id')::uuid))
    else e.actor end as actor`

/** How many of its events, hidden ones included, are looked at in each masked Room. */
export const rawDepth = (least: string, most: string) =>
  `greatest(${least}, ${most}::bigint / greatest((select count(*) from visible where masked), 1))`

/**
 * Takes the newest events of each Room by its index, and from these the page. Where a filter may pass over many it looks
 * deeper, though not without end: as far as all Rooms were looked through, and what is older is for the next page. Hidden
 * events count for nothing in this, but for `stopped_at`: where a masked Room has more of them than are looked at.
 */
const newestOf = (name: string, condition: string) =>
  read<PageRow>(
    name,
    `with visible as materialized (${visibleRooms(condition)}
     ), reach as (
       select ${rawDepth('$11', '$12')} as raw, case when $6::uuid is null and $7::uuid is null and $8::text[] is null and $9::double precision is null
         then $11::bigint else greatest($11, $12::bigint / greatest(count(*), 1)) end as depth
       from visible
     ), looked_at as materialized (
       select e.*, visible.room_title
       from visible cross join lateral (
         select * from (
           select ${eventColumns} from events e
           where e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity'
             and e.position < coalesce($10::bigint, 9223372036854775807)
           order by e.position desc limit (select case when visible.masked then raw else depth end from reach)
         ) e
         where ${isShownIn('visible.masked')}
         order by e.position desc limit (select depth from reach)
       ) e
     ), bottom as (
       select max(lowest) as position
       from (select min(position) as lowest from looked_at group by room_id having count(*) = (select depth from reach)) one
     ), stop as (
       select max(e.position) as position
       from visible cross join lateral (
         select e.position from events e
         where e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity'
           and e.position < coalesce($10::bigint, 9223372036854775807)
         order by e.position desc offset (select raw - 1 from reach) limit 1
       ) e
       where visible.masked
     ), page as (
       select * from looked_at e
       where e.position >= coalesce(greatest((select position from bottom), (select position from stop)), 0)
         and ($6 is null or (e.actor ->> 'user_id')::uuid = $6) and ($7 is null or ${isGivenTo('$7')})
         and ${isOfTypes('$8')} and ($9 is null or e.occurred_at >= to_timestamp($9 / 1000))
       order by e.position desc limit $11
     )
     select bottom.position as looked_down_to,
       case when stop.position > coalesce(bottom.position, 0) then stop.position end as stopped_at, ${shownColumns}
     from bottom cross join stop left join page e on true order by e.position desc`,
  )

const eventsOfRoom = newestOf('events_of_room', 'r.id = $5')
const eventsOfBusiness = newestOf('events_of_business', hasBusiness('r', '$5'))
const eventsOfRooms = newestOf('events_of_rooms', '$5::text is null')

const eventSeen = read<EventRow>(
  'event_seen',
  `select ${shownColumns}
   from (
     select ${eventColumns}, visible.room_title, visible.masked
     from events e cross join lateral (${visibleRooms('r.id = e.room_id')}) visible
     where e.workspace_id = $1 and e.id = $5 and e.feed = 'activity'
   ) e
   where ${isShownIn('e.masked')}`,
)
