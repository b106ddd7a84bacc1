import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { SignedInCaller } from '../../call/authority/caller.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { change } from '../participants/participant-change-store.ts'
import { isOver, isVoid, ofRoom, type ParticipantRow } from '../participants/participant-store.ts'
import { isMember } from '../room-visibility-store.ts'
import type { OpenedRoom } from '../room-store.ts'

/** What an invitation gives, and says. */
export interface Invitation {
  email: string
  access_level: AccessLevel
  can_download: boolean
  expires_at: string | null
  message: string | null
}

/** Who sends an invitation, with which API key, and until when it can be accepted. */
export interface Sending {
  invited_by: string | null
  sent_with: string | null
  invited_until: string
}

/** Keeps a new invitation. An earlier one of the same address that has ended makes way. */
export function insertParticipant(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  invitation: Invitation & Sending & { email_key: string; digestOf: (id: string) => Buffer },
  now: Date,
): ParticipantRow {
  const { email, email_key, access_level, can_download, expires_at, message } = invitation
  const { invited_by, sent_with, invited_until, digestOf } = invitation
  const participant_id = randomUUIDv7()
  tx.save(endAddress, [workspace_id, room_id, email_key])
  tx.save(participantInsert, [
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
    digestOf(participant_id),
    now,
    sent_with,
    invited_until,
  ])
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

/** Gives an invitation another token, and more time. The token before it finds nothing any more. */
export function renewParticipant(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  participant: ParticipantRow,
  { invited_by, sent_with, invited_until, token_digest }: Sending & { token_digest: Buffer },
  now: Date,
): ParticipantRow {
  const { participant_id } = participant
  const token_number = participant.token_number + 1
  tx.save(participantRenew, [
    workspace_id,
    room_id,
    participant_id,
    token_number,
    token_digest,
    invited_by,
    now,
    sent_with,
    invited_until,
  ])
  return {
    ...participant,
    token_number,
    invited_by,
    sent_with,
    invited_until,
    updated_at: now.toISOString(),
  }
}

/** Has an invitation give, and say, something else. */
export function saveInvitation(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  participant: ParticipantRow,
  { email, access_level, can_download, expires_at, message }: Invitation,
  now: Date,
): ParticipantRow {
  const { participant_id } = participant
  tx.save(participantSave, [
    workspace_id,
    room_id,
    participant_id,
    email,
    access_level,
    can_download,
    expires_at,
    message,
    now,
  ])
  return { ...participant, email, access_level, can_download, expires_at, updated_at: now.toISOString() }
}

/** Makes a participant of who was invited, and is remembered by now. What they had before, and counts as ended, makes way. */
export function activateParticipant(
  tx: Transaction,
  invited: ParticipantRow,
  { user_id, email, name }: Pick<SignedInCaller, 'user_id' | 'email' | 'name'>,
  now: Date,
): ParticipantRow {
  const { workspace_id, room_id, participant_id } = invited
  tx.save(endUser, [workspace_id, room_id, user_id])
  tx.save(participantActivate, [workspace_id, room_id, participant_id, user_id, now])
  return {
    ...invited,
    user_id,
    email: email ?? invited.email,
    name,
    status: 'active',
    updated_at: now.toISOString(),
  }
}

// Rows whose membership has ended keep its id: endSomeOfMembership finds them by it and tells the Room.
const end = `update room_participants p set status = case when ${isOver} then 'expired' else 'revoked' end,
   membership_id = case when ${isOver} then null else p.membership_id end`
const hasEnded = `(${isOver} or ${isVoid})`

const endAddress = write(
  'room_participant_end_address',
  `${end} where ${ofRoom} and p.email_key = $3 and p.status = 'pending' and ${hasEnded}`,
)

const endUser = write(
  'room_participant_end_user',
  `${end} where ${ofRoom} and p.user_id = $3 and p.status = 'active' and ${hasEnded}`,
)

const participantInsert = write(
  'room_participant_insert',
  `insert into room_participants (workspace_id, room_id, id, email, email_key, access_level, status, can_download, expires_at,
     message, invited_by, sent_with, token_digest, token_number, invited_until, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $13, $11, 1, $14, $12, $12)`,
)

const isPending = `p.status = 'pending'`

const participantRenew = write(
  'room_participant_renew',
  change(
    `token_number = $4, token_digest = $5, invited_by = $6, sent_with = $8, invited_until = $9, updated_at = $7`,
    isPending,
  ),
)

const participantSave = write(
  'room_participant_save',
  change(
    `email = $4, access_level = $5, can_download = $6, expires_at = $7, message = $8, updated_at = $9`,
    isPending,
  ),
)

const participantActivate = write(
  'room_participant_activate',
  change(`status = 'active', user_id = $4, updated_at = $5, as_guest = not ${isMember('$4')}`, isPending),
)
