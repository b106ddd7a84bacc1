import { scopeArraySql } from '../../call/authority/permissions.ts'
import { senderMay } from '../../workspaces/team/sender-store.ts'
import { levelIn } from '../room-visibility-store.ts'

/** The sender of the invitation `p`, as somebody who looks at the Room. */
const sender = {
  user_id: 'p.invited_by',
  is_member: 'sender.is_member',
  reads_businesses: 'sender.reads_businesses',
}

/** Whether the sender of `p` is the guest still whom they sent it as. */
const isGuestStill = `exists (
  select from room_participants guest
  where guest.workspace_id = $1 and guest.room_id = p.room_id and guest.id = p.sent_as
    and guest.status = 'active' and guest.as_guest
    and (guest.expires_at is null or guest.expires_at > statement_timestamp()))`

/** Whether the sender of the invitation `p` to a Room could send it now: what invite-participant.ts asks, asked again. */
export const couldInviteNow = `exists (
  select from rooms r
  cross join lateral (
    select ${senderMay('p', scopeArraySql(['rooms:share']))} as is_member,
      ${senderMay('p', scopeArraySql(['businesses:read']))} as reads_businesses
  ) sender
  cross join lateral (select ${levelIn('r', sender)} as level) own
  where r.workspace_id = $1 and r.id = p.room_id and own.level >= greatest('edit', p.access_level)
    and (sender.is_member
      or ${isGuestStill} and (r.participant_visibility = 'everyone' or own.level = 'full_access')))`
