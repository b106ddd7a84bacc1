import { masksGuestsSql } from '../../rooms/visibility/masked-people-store.ts'
import { read, type Reader } from '../../database/statement.ts'
import {
  decisiveRestrictionSql,
  mayKnowRestrictedSql,
} from '../../rooms/visibility/room-file-visibility-store.ts'
import { roomByIdSql } from '../../rooms/visibility/visible-rooms-store.ts'
import { generalLevelSql, participantLevelSql } from '../../rooms/visibility/room-visibility-store.ts'
import {
  eventColumns,
  isShownToGuestSql,
  presentedColumns,
  type EventRow,
} from '../event-visibility-store.ts'

/** The events between two positions of a feed, visible or not. */
export interface Batch {
  /** The position at which the feed ends. */
  head: number
  events: EventRow[]
}

/** The events of the Rooms of a Workspace after one position, up to another. */
export async function batchBetween(
  reader: Reader,
  workspace_id: string,
  from: number,
  to: number,
): Promise<Batch> {
  const rows = await reader.many(feedBatch, { workspace_id, from, to })
  const events = rows.filter((row): row is EventRow & { head: string } => row.id !== null)
  return { head: Number(rows[0]?.head ?? 0), events }
}

/** Who can see the events of a Room: members by general access, and participants. */
export interface RoomVisibility {
  /** Whether all members who may read Businesses can. */
  readers: boolean
  /** Whether all other members can. */
  others: boolean
  /**
   * The participants among the given users. If the Room hides guests from each other, the value has the positions of the events
   * that this one can see; else it is null.
   */
  participants: Map<string, ReadonlySet<string> | null>
  /** The positions of events of Files that are restricted in the Room, each with those of the given users who may see it. */
  restricted: Map<string, ReadonlySet<string>>
}

/** Which users can see the events of which Rooms, and at which positions if a Room hides guests from each other. */
export async function visibilityOfRooms(
  reader: Reader,
  workspace_id: string,
  wanted: {
    room_ids: readonly string[]
    positions: readonly string[]
    /** Of these positions, those of events of Files. */
    file_positions: readonly string[]
    user_ids: readonly string[]
  },
): Promise<Map<string, RoomVisibility>> {
  const { room_ids, positions, file_positions, user_ids } = wanted
  const [visibilities, restrictions] = await Promise.all([
    reader.many(roomVisibilities, { workspace_id, room_ids, positions, user_ids }),
    file_positions.length > 0
      ? reader.many(restrictedEvents, { workspace_id, file_positions, user_ids })
      : ([] as RestrictedEvent[]),
  ])
  const rooms = new Map<string, RoomVisibility>()
  for (const { room_id, readers, others, user_id, shown } of visibilities) {
    const room = rooms.get(room_id) ?? { readers, others, participants: new Map(), restricted: new Map() }
    rooms.set(room_id, room)
    if (user_id !== null) room.participants.set(user_id, shown && new Set(shown))
  }
  for (const { room_id, position, user_ids: users } of restrictions)
    rooms.get(room_id)?.restricted.set(position, new Set(users))
  return rooms
}

const feedBatch = read<{ head: string } & (EventRow | { [K in keyof EventRow]: null })>(
  'feed_batch',
  `with head as (select last_position as position from feed_positions where workspace_id = :workspace_id)
   select head.position as head, change.*
   from head left join (
     select ${presentedColumns} from (
       select ${eventColumns}, r.title as room_title
       from events e join rooms r on r.workspace_id = :workspace_id and r.id = e.room_id
       where e.workspace_id = :workspace_id and e.position > :from and e.position <= :to and e.feed = 'activity'
     ) e
   ) change on true
   order by change.position`,
)

const everyMember = (reads_businesses: boolean) => ({
  user_id: 'null::uuid',
  is_member: 'true',
  reads_businesses: String(reads_businesses),
})

interface RestrictedEvent {
  position: string
  room_id: string
  user_ids: string[]
}

// Whether the users can open the Room at all is decided by `roomVisibilities`. General access gives less than full access.
const restrictedEvents = read<RestrictedEvent>(
  'room_file_events_restricted',
  `select e.position, e.room_id, array(
     select wanted.user_id from unnest(:user_ids::uuid[]) as wanted (user_id)
     where ${mayKnowRestrictedSql('restriction', 'wanted.user_id')}
       or ${participantLevelSql('r', { ...everyMember(false), user_id: 'wanted.user_id' })} = 'full_access'
   ) as user_ids
   from unnest(:file_positions::bigint[]) as at (position)
   cross join lateral (
     select * from events one where one.workspace_id = :workspace_id and one.position = at.position and one.feed = 'activity' offset 0
   ) e
   cross join lateral ${roomByIdSql('e.room_id', 'r')}
   cross join lateral ${decisiveRestrictionSql('e.room_id', `(e.subject ->> 'id')`)}`,
)

/** What a Room gives to all is the same for all who may read Businesses; what else there is was given to those who deliver part. */
// General access is computed for two kinds of member instead of for each user; the rest is up to participations. `offset 0`
// makes PostgreSQL read each event by its position: without statistics it would read all events of the feed.
const roomVisibilities = read<{
  room_id: string
  readers: boolean
  others: boolean
  user_id: string | null
  shown: string[] | null
}>(
  'room_visibilities',
  `with scanned as materialized (
     select ${eventColumns} from unnest(:positions::bigint[]) as at (position)
     cross join lateral (
       select * from events one where one.workspace_id = :workspace_id and one.position = at.position and one.feed = 'activity' offset 0
     ) e
   ), wanted as materialized (select unnest(:user_ids::uuid[]) as user_id)
   select r.id as room_id, part.user_id,
     ${generalLevelSql('r', everyMember(true))} is not null as readers,
     ${generalLevelSql('r', everyMember(false))} is not null as others,
     case when ${masksGuestsSql('r', 'part.access_level')} then array(
       select e.position from scanned e where e.room_id = r.id and ${isShownToGuestSql('part.user_id')}
     ) end as shown
   from rooms r left join lateral (
     select p.user_id, now.access_level
     from room_participants p cross join lateral participation_in_room(:workspace_id, r.id, p.user_id) now
     where p.workspace_id = :workspace_id and p.room_id = r.id and p.status = 'active'
       and p.user_id in (select user_id from wanted)
   ) part on true
   where r.workspace_id = :workspace_id and r.id = any (:room_ids::text[])`,
)
