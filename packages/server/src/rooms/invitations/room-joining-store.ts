import { hasPermissionsSql, scopeArraySql } from '../../call/authority/permissions.ts'
import { read, type Reader } from '../../database/statement.ts'
import type { Place } from '../participants/participant-store.ts'
import { generalLevel, isMember } from '../room-visibility-store.ts'
import { roomColumns, withBusiness, withParent, type RoomRow } from '../room-store.ts'

/**
 * A Room as somebody sees it who accepts an invitation to it now: with the level that it gives them, or that of general
 * access where that is more.
 */
export const roomToJoin = (
  reader: Reader,
  { workspace_id, room_id, participant_id }: Place & { participant_id: string },
  user_id: string,
) => reader.one(roomJoined, [workspace_id, user_id, room_id, participant_id])

/** Who joins, as they look at the Room: $2 is their user. */
const joining = {
  user_id: '$2',
  is_member: 'joining.is_member',
  reads_businesses: 'joining.reads_businesses',
}

const readsBusinesses = `exists (
  select from memberships m
  where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active' and ${hasPermissionsSql('m', scopeArraySql(['businesses:read']))})`

const roomJoined = read<RoomRow>(
  'room_joined',
  `select ${roomColumns(`greatest(p.access_level, ${generalLevel('r', joining, 'its_business.opened')})`, joining)}
   from room_participants p join rooms r on r.workspace_id = $1 and r.id = p.room_id
   cross join lateral (select ${isMember('$2')} as is_member, ${readsBusinesses} as reads_businesses offset 0) joining
   ${withBusiness(joining)} ${withParent}
   where p.workspace_id = $1 and p.room_id = $3 and p.id = $4`,
)
