import type { Scope } from '@wbs/contract/scopes'
import { hasPermissionsSql, scopeArraySql } from '../../call/authority/permissions.ts'
import { read, type Reader } from '../../database/statement.ts'
import type { RoomKey } from '../participants/participant-store.ts'
import { generalLevelSql, isMemberSql } from '../visibility/room-visibility-store.ts'
import { roomColumnsSql, joinBusinessSql, joinParentSql, type RoomRow } from '../room-store.ts'

/**
 * A Room as the person who accepts an invitation now will see it: with the level of the invitation, or with that of general
 * access if it is higher.
 */
export const acceptedRoom = (
  reader: Reader,
  { workspace_id, room_id, participant_id }: RoomKey & { participant_id: string },
  user_id: string,
) => reader.one(roomByInvitation, { workspace_id, user_id, room_id, participant_id })

/** The person who accepts, `:user_id`, as a viewer of the Room. */
const invitee = {
  user_id: ':user_id',
  is_member: 'invitee.is_member',
  reads_businesses: 'invitee.reads_businesses',
}

/** Whether the invitee has a permission as a member. */
const maySql = (scope: Scope) => `exists (
  select from memberships m
  where m.workspace_id = :workspace_id and m.user_id = :user_id and m.status = 'active' and ${hasPermissionsSql('m', scopeArraySql([scope]))})`

const roomByInvitation = read<RoomRow>(
  'room_by_invitation',
  `select ${roomColumnsSql(`greatest(p.access_level, ${generalLevelSql('r', invitee, 'its_business.can_read')})`, maySql('lists:read'), invitee)}
   from room_participants p join rooms r on r.workspace_id = :workspace_id and r.id = p.room_id
   cross join lateral (select ${isMemberSql(':user_id')} as is_member, ${maySql('businesses:read')} as reads_businesses offset 0) invitee
   ${joinBusinessSql(invitee)} ${joinParentSql}
   where p.workspace_id = :workspace_id and p.room_id = :room_id and p.id = :participant_id`,
)
