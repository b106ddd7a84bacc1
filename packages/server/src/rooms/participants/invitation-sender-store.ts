import { scopeArraySql } from '../../call/authority/permissions.ts'
import { senderMaySql } from '../../workspaces/team-invitations/invitation-sender-store.ts'
import { isActiveSql, levelRowSql } from '../visibility/room-visibility-store.ts'

/** The sender of the invitation `p`, as a viewer of the Room. */
const sender = {
  user_id: 'p.invited_by',
  is_member: 'sender.is_member',
  reads_businesses: 'sender.reads_businesses',
}

/** Whether the guest who sent `p` still has the participation with which they sent it. */
const senderIsStillGuestSql = `exists (
  select from room_participants guest
  where guest.workspace_id = :workspace_id and guest.room_id = p.room_id and guest.id = p.sent_as
    and guest.as_guest and ${isActiveSql('guest')})`

/** Whether the sender of the invitation `p` could send it now. Repeats the checks of invite-participant.ts. */
export const couldInviteNowSql = `exists (
  select from rooms r
  cross join lateral (
    select ${senderMaySql('p', scopeArraySql(['rooms:share']))} as is_member,
      ${senderMaySql('p', scopeArraySql(['businesses:read']))} as reads_businesses offset 0
  ) sender
  cross join lateral ${levelRowSql('r', sender)} as own (level)
  where r.workspace_id = :workspace_id and r.id = p.room_id and own.level >= greatest('edit', p.access_level)
    and (sender.is_member
      or ${senderIsStillGuestSql} and (r.participant_visibility = 'everyone' or own.level = 'full_access')))`
