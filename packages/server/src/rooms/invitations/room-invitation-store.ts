import type { invitationStatuses } from '@wbs/contract/workspaces/team-invitations'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { lockSenderStatement } from '../../workspaces/team-invitations/invitation-sender-store.ts'
import { isPastEndSql, isVoidSql } from '../participants/participant-status-store.ts'

/** An invitation to a Room, found by its token in any Workspace. */
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

/** Needs neither a Workspace nor a signed-in caller: nobody can guess the digest of a token. */
export const roomInvitationByToken = (reader: Reader, digest: Buffer) =>
  reader.one(invitationByDigest, { token_digest: digest })

/** The status of an invitation now; undefined if it has another token. */
export const roomInvitationStatus = (reader: Reader, workspace_id: string, digest: Buffer) =>
  reader.one(invitationStatus, { workspace_id, token_digest: digest })

/** Locks the membership and the API key of the sender shared, so that their authority does not change during the answer. */
export const lockSenderOfRoomInvitation = (tx: Transaction, workspace_id: string, digest: Buffer) =>
  tx.run(senderLock, { workspace_id, token_digest: digest })

export interface RoomInvitationToMail {
  email_key: string
  room_title: string
  workspace_name: string
  inviter_name: string | null
  access_level: AccessLevel
  message: string | null
  expires_at: string
}

/** The content of an invitation mail; undefined unless the invitation is pending and has the token of this digest. */
export const roomInvitationToMail = (
  reader: Reader,
  workspace_id: string,
  room_id: string,
  participant_id: string,
  digest: Buffer,
) => reader.one(invitationForMail, { workspace_id, room_id, participant_id, token_digest: digest })

const invitationByDigest = read<RoomInvitation>(
  'room_invitation_by_digest',
  'select * from find_room_invitation(:token_digest)',
)

const invitationStatus = read<Pick<RoomInvitation, 'status'>>(
  'room_invitation_status',
  `select case when p.user_id is not null and p.status <> 'revoked' then 'accepted'
          when p.status <> 'pending' then p.status when ${isPastEndSql} then 'expired' when ${isVoidSql} then 'revoked'
          else 'pending' end as status
   from room_participants p where p.workspace_id = :workspace_id and p.token_digest = :token_digest`,
)

const senderLock = lockSenderStatement('room_invitation_sender_lock', 'room_participants')

const invitationForMail = read<RoomInvitationToMail>(
  'room_invitation_for_mail',
  `select p.email_key, r.title as room_title, w.name as workspace_name, u.name as inviter_name, p.access_level, p.message,
     least(p.invited_until, p.expires_at) as expires_at
   from room_participants p
   join rooms r on r.workspace_id = p.workspace_id and r.id = p.room_id
   join workspaces w on w.id = p.workspace_id
   left join users u on u.id = p.invited_by
   where p.workspace_id = :workspace_id and p.room_id = :room_id and p.id = :participant_id and p.token_digest = :token_digest
     and p.status = 'pending' and not ${isPastEndSql} and not ${isVoidSql} and w.status <> 'closed'`,
)
