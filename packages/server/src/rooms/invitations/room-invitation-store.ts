import type { invitationStatuses } from '@wbs/contract/workspaces/team-invitations'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { lockingSender } from '../../workspaces/team/sender-store.ts'
import { isOver, isVoid } from '../participants/participant-store.ts'

/** An invitation to a Room as it is found by its token, whatever its Workspace. */
export interface RoomInvitation {
  workspace_id: string
  room_id: string
  participant_id: string
  workspace_name: string
  room_title: string
  inviter_name: string | null
  email: string
  email_key: string
  access_level: AccessLevel
  status: (typeof invitationStatuses)[number]
  expires_at: string
}

/** Needs no Workspace, nor anybody who is signed in: the digest of a token cannot be guessed. */
export const roomInvitationByToken = (reader: Reader, digest: Buffer) =>
  reader.one(invitationByDigest, [digest])

/** How it stands with an invitation, as its Workspace knows it, as long as the token is still its. */
export const roomInvitationNow = (reader: Reader, workspace_id: string, digest: Buffer) =>
  reader.one(invitationNow, [workspace_id, digest])

/** Keeps what the sender of an invitation may do as it is, until it was answered by who has its token. */
export const lockRoomSender = (tx: Transaction, workspace_id: string, digest: Buffer) =>
  tx.run(senderLock, [workspace_id, digest])

export interface RoomInvitationToMail {
  email_key: string
  room_title: string
  workspace_name: string
  inviter_name: string | null
  access_level: AccessLevel
  message: string | null
  expires_at: string
}

/** What a mail says of an invitation, as long as its token is the one of this digest and it is pending. */
export const roomInvitationToMail = (
  reader: Reader,
  workspace_id: string,
  room_id: string,
  participant_id: string,
  digest: Buffer,
) => reader.one(invitationForMail, [workspace_id, room_id, participant_id, digest])

const invitationByDigest = read<RoomInvitation>(
  'room_invitation_by_digest',
  'select * from find_room_invitation($1)',
)

const invitationNow = read<Pick<RoomInvitation, 'status'>>(
  'room_invitation_now',
  `select case when p.user_id is not null and p.status <> 'revoked' then 'accepted'
          when p.status <> 'pending' then p.status when ${isOver} then 'expired' when ${isVoid} then 'revoked'
          else 'pending' end as status
   from room_participants p where p.workspace_id = $1 and p.token_digest = $2`,
)

const senderLock = lockingSender('room_invitation_sender_lock', 'room_participants')

const invitationForMail = read<RoomInvitationToMail>(
  'room_invitation_for_mail',
  `select p.email_key, r.title as room_title, w.name as workspace_name, u.name as inviter_name, p.access_level, p.message,
     least(p.invited_until, p.expires_at) as expires_at
   from room_participants p
   join rooms r on r.workspace_id = p.workspace_id and r.id = p.room_id
   join workspaces w on w.id = p.workspace_id
   left join users u on u.id = p.invited_by
   where p.workspace_id = $1 and p.room_id = $2 and p.id = $3 and p.token_digest = $4
     and p.status = 'pending' and not ${isOver} and not ${isVoid} and w.status <> 'closed'`,
)
