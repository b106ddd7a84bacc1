import { read, type Reader } from '../../database/statement.ts'
import { generalLevelSql, participantLevelSql } from '../../rooms/visibility/room-visibility-store.ts'
import { eventColumns, isShownIn, masks, shownColumns, type EventRow } from '../event-visibility-store.ts'

/** What happened between two positions of a feed, whoever may see it. */
export interface Batch {
  /** Where the feed ends. */
  head: number
  events: EventRow[]
}

/** What happened in the Rooms of a Workspace after a position, up to another. */
export async function batchBetween(
  reader: Reader,
  workspace_id: string,
  from: number,
  to: number,
): Promise<Batch> {
  const rows = await reader.many(feedBatch, [workspace_id, from, to])
  const events = rows.filter((row): row is EventRow & { head: string } => row.id !== null)
  return { head: Number(rows[0]?.head ?? 0), events }
}

/** Who can open a Room: those of the Workspace to whom it is open, and who takes part in it. */
export interface RoomSight {
  /** Every member who may read Businesses. */
  readers: boolean
  /** Every other member. */
  others: boolean
  /**
   * Of the users who were asked about, those who take part, and what is hidden from whom is from outside: null where nothing
   * is, else the positions of what is shown all the same.
   */
  participants: Map<string, ReadonlySet<string> | null>
}

/** Who of some users can open some Rooms, and which of some events they may see there where others are hidden from them. */
export async function roomSights(
  reader: Reader,
  workspace_id: string,
  asked: { room_ids: readonly string[]; positions: readonly string[]; user_ids: readonly string[] },
): Promise<Map<string, RoomSight>> {
  const values = [workspace_id, asked.room_ids, asked.positions, asked.user_ids]
  const sights = new Map<string, RoomSight>()
  for (const { room_id, readers, others, user_id, shown } of await reader.many(sightsOfRooms, values)) {
    const sight = sights.get(room_id) ?? { readers, others, participants: new Map() }
    sights.set(room_id, sight)
    if (user_id !== null) sight.participants.set(user_id, shown && new Set(shown))
  }
  return sights
}

const feedBatch = read<{ head: string } & (EventRow | { [K in keyof EventRow]: null })>(
  'feed_batch',
  `with head as (select last_position as position from feed_positions where workspace_id = $1)
   select head.position as head, change.*
   from head left join (
     select ${shownColumns} from (
       select ${eventColumns}, r.title as room_title
       from events e join rooms r on r.workspace_id = $1 and r.id = e.room_id
       where e.workspace_id = $1 and e.position > $2 and e.position <= $3 and e.feed = 'activity'
     ) e
   ) change on true
   order by change.position`,
)

const everyMember = (reads_businesses: boolean) => ({
  user_id: 'null::uuid',
  is_member: 'true',
  reads_businesses: String(reads_businesses),
})

/** What a Room gives to all is the same for all who may read Businesses; what else there is was given to those who take part. */
// Each event is looked up by its position (`offset 0`): of a feed without statistics, all events were gone through.
const sightsOfRooms = read<{
  room_id: string
  readers: boolean
  others: boolean
  user_id: string | null
  shown: string[] | null
}>(
  'sights_of_rooms',
  `with looked_at as materialized (
     select ${eventColumns} from unnest($3::bigint[]) as at (position)
     cross join lateral (
       select * from events one where one.workspace_id = $1 and one.position = at.position and one.feed = 'activity' offset 0
     ) e
   ), asked as materialized (select unnest($4::uuid[]) as user_id)
   select r.id as room_id, part.user_id,
     ${generalLevelSql('r', everyMember(true))} is not null as readers,
     ${generalLevelSql('r', everyMember(false))} is not null as others,
     case when ${masks('r', 'part.access_level')} then array(
       select e.position from looked_at e where e.room_id = r.id and ${isShownIn('true', 'part.user_id')}
     ) end as shown
   from rooms r left join lateral (
     select p.user_id, level.access_level
     from room_participants p
     cross join lateral (select ${participantLevelSql('r', { ...everyMember(false), user_id: 'p.user_id' })} as access_level) level
     where p.workspace_id = $1 and p.room_id = r.id and p.status = 'active'
       and p.user_id in (select user_id from asked) and level.access_level is not null
   ) part on true
   where r.workspace_id = $1 and r.id = any ($2::text[])`,
)
