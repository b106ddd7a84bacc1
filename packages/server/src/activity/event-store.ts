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

/** How many events are looked at for a page, where a filter may pass over most of them. */
const depth = 20_000

/** A page of what happened in the Rooms that the viewer can open, newest first, from before a position. */
export async function eventsPage(
  reader: Reader,
  viewer: Viewer,
  rooms: { room_id: string | undefined; business_id: string | undefined },
  filter: EventFilter,
  page: { before: string | undefined; limit: number },
): Promise<EventsPage> {
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
    page.limit + 1,
    depth,
  ])
  return cut(rows, page.limit)
}

/** One row more than the page holds tells that it goes on; so does a depth that was not the end. */
function cut(rows: readonly PageRow[], limit: number): EventsPage {
  const found = rows.filter((row): row is EventRow & PageRow => row.id !== null)
  const events = found.slice(0, limit)
  const last = events.at(-1)
  return { events, next: found.length > limit && last ? last.position : (rows[0]?.looked_down_to ?? null) }
}

/** An event of a Room that the viewer can open. */
export const eventById = (reader: Reader, viewer: Viewer, event_id: string): Promise<EventRow | undefined> =>
  reader.one(eventSeen, [...viewerValues(viewer), event_id])

type PageRow = (EventRow | { [K in keyof EventRow]: null }) & { looked_down_to: string | null }

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

/** Whether the viewer may see the event `e` of a Room that they can open. An invitation is of somebody from outside. */
export const isShown = `(not e.masked or
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

/**
 * Takes the newest events of each Room by its index, and from these the page. Where a filter may pass over many it looks
 * deeper, though not without end: as far as all Rooms were looked through, and what is older is for the next page.
 */
const newestOf = (name: string, condition: string) =>
  read<PageRow>(
    name,
    `with visible as materialized (${visibleRooms(condition)}
     ), reach as (
       select case when $6::uuid is null and $7::uuid is null and $8::text[] is null and $9::double precision is null and not bool_or(masked)
         then $11::bigint else greatest($11, $12::bigint / greatest(count(*), 1)) end as depth
       from visible
     ), looked_at as materialized (
       select e.*, visible.room_title, visible.masked
       from visible cross join lateral (
         select ${eventColumns} from events e
         where e.workspace_id = $1 and e.room_id = visible.room_id and e.feed = 'activity'
           and e.position < coalesce($10::bigint, 9223372036854775807)
         order by e.position desc limit (select depth from reach)
       ) e
     ), bottom as (
       select max(lowest) as position
       from (select min(position) as lowest from looked_at group by room_id having count(*) = (select depth from reach)) one
     ), page as (
       select * from looked_at e
       where e.position >= coalesce((select position from bottom), 0)
         and ($6 is null or (e.actor ->> 'user_id')::uuid = $6) and ($7 is null or ${isGivenTo('$7')})
         and ${isOfTypes('$8')} and ($9 is null or e.occurred_at >= to_timestamp($9 / 1000)) and ${isShown}
       order by e.position desc limit $11
     )
     select bottom.position as looked_down_to, ${shownColumns}
     from bottom left join page e on true order by e.position desc`,
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
   where ${isShown}`,
)
