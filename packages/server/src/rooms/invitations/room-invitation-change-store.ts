import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { SignedInCaller } from '../../call/authority/caller.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { updateParticipantSql } from '../participants/participant-change-store.ts'
import { isPastEndSql, isVoidSql } from '../participants/participant-status-store.ts'
import { isInRoomSql, type ParticipantRow } from '../participants/participant-store.ts'
import { isMemberSql } from '../visibility/room-visibility-store.ts'
import type { OpenedRoom } from '../room-store.ts'

/** What an invitation grants, and its message. */
export interface Invitation {
  email: string
  access_level: AccessLevel
  can_download: boolean
  expires_at: string | null
  message: string | null
}

/** Who sends an invitation, with which API key, and until when it can be accepted. */
export interface SendDetails {
  invited_by: string | null
  sent_with: string | null
  invited_until: string
}

/** Inserts an invitation. Records the end of an earlier one to the same address first, which the unique index requires. */
export function insertParticipant(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  invitation: Invitation & SendDetails & { email_key: string; digestOf: (id: string) => Buffer },
  now: Date,
): ParticipantRow {
  const { email, email_key, access_level, can_download, expires_at, message } = invitation
  const { invited_by, sent_with, invited_until, digestOf } = invitation
  const participant_id = randomUUIDv7()
  tx.save(emailEnd, { workspace_id, room_id, email_key })
  tx.save(participantInsert, {
    workspace_id,
    room_id,
    participant_id,
    email,
    email_key,
    access_level,
    can_download,
    expires_at,
    message,
    invited_by,
    sent_with,
    invited_until,
    token_digest: digestOf(participant_id),
    now,
  })
  return {
    workspace_id,
    room_id,
    participant_id,
    user_id: null,
    email,
    name: null,
    access_level,
    status: 'pending',
    token_number: 1,
    invited_by,
    sent_with,
    invited_until,
    expires_at,
    can_download,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
}

/** Gives an invitation a new token and a new end date. The earlier token is no longer valid. */
export function renewParticipant(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  participant: ParticipantRow,
  { invited_by, sent_with, invited_until, token_digest }: SendDetails & { token_digest: Buffer },
  now: Date,
): ParticipantRow {
  const { participant_id } = participant
  const token_number = participant.token_number + 1
  tx.save(participantRenew, {
    workspace_id,
    room_id,
    participant_id,
    token_number,
    token_digest,
    invited_by,
    sent_with,
    invited_until,
    now,
  })
  return {
    ...participant,
    token_number,
    invited_by,
    sent_with,
    invited_until,
    updated_at: now.toISOString(),
  }
}

/** Saves what an invitation grants, and its message. */
export function saveInvitation(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  participant: ParticipantRow,
  { email, access_level, can_download, expires_at, message }: Invitation,
  now: Date,
): ParticipantRow {
  const { participant_id } = participant
  tx.save(participantSave, {
    workspace_id,
    room_id,
    participant_id,
    email,
    access_level,
    can_download,
    expires_at,
    message,
    now,
  })
  return { ...participant, email, access_level, can_download, expires_at, updated_at: now.toISOString() }
}

/**
 * Makes the invitee a participant; the user must exist. Records the end of an earlier participation first, which the unique
 * index requires.
 */
export function activateParticipant(
  tx: Transaction,
  invited: ParticipantRow,
  { user_id, email, name }: Pick<SignedInCaller, 'user_id' | 'email' | 'name'>,
  now: Date,
): ParticipantRow {
  const { workspace_id, room_id, participant_id } = invited
  tx.save(userEnd, { workspace_id, room_id, user_id })
  tx.save(participantActivate, { workspace_id, room_id, participant_id, user_id, now })
  return {
    ...invited,
    user_id,
    email: email ?? invited.email,
    name,
    status: 'active',
    updated_at: now.toISOString(),
  }
}

// Rows whose membership has ended keep its id, by which endParticipationsOfMembership finds them and adds the event.
const endSql = `update room_participants p set status = case when ${isPastEndSql} then 'expired' else 'revoked' end,
   membership_id = case when ${isPastEndSql} then null else p.membership_id end`
const hasEndedSql = `(${isPastEndSql} or ${isVoidSql})`

const emailEnd = write(
  'room_participant_end_email',
  `${endSql} where ${isInRoomSql} and p.email_key = :email_key and p.status = 'pending' and ${hasEndedSql}`,
)

const userEnd = write(
  'room_participant_end_user',
  `${endSql} where ${isInRoomSql} and p.user_id = :user_id and p.status = 'active' and ${hasEndedSql}`,
)

const participantInsert = write(
  'room_participant_insert',
  `insert into room_participants (workspace_id, room_id, id, email, email_key, access_level, status, can_download, expires_at,
     message, invited_by, sent_with, token_digest, token_number, invited_until, created_at, updated_at)
   values (:workspace_id, :room_id, :participant_id, :email, :email_key, :access_level, 'pending', :can_download, :expires_at, :message, :invited_by, :sent_with, :token_digest, 1, :invited_until, :now, :now)`,
)

const isPendingSql = `p.status = 'pending'`

const participantRenew = write(
  'room_participant_renew',
  updateParticipantSql(
    `token_number = :token_number, token_digest = :token_digest, invited_by = :invited_by, sent_with = :sent_with, invited_until = :invited_until, updated_at = :now`,
    isPendingSql,
  ),
)

const participantSave = write(
  'room_participant_save',
  updateParticipantSql(
    `email = :email, access_level = :access_level, can_download = :can_download, expires_at = :expires_at, message = :message, updated_at = :now`,
    isPendingSql,
  ),
)

const participantActivate = write(
  'room_participant_activate',
  updateParticipantSql(
    `status = 'active', user_id = :user_id, updated_at = :now, joined_at = :now, as_guest = not ${isMemberSql(':user_id')}`,
    isPendingSql,
  ),
)
