import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { SignedInCaller } from '../call/caller.ts'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import {
  isOver,
  isVoid,
  ofRoom,
  participantColumns,
  type ParticipantRow,
  type Place,
} from './participant-store.ts'
import { holds, isMember } from './room-sight-store.ts'
import type { OpenedRoom } from './room-store.ts'

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

export function saveLevel(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'full_access'>,
  participant: ParticipantRow,
  access_level: AccessLevel,
  now: Date,
): ParticipantRow {
  const { participant_id } = participant
  tx.save(participantLevelSave, [workspace_id, room_id, participant_id, access_level, now])
  return { ...participant, access_level, updated_at: now.toISOString() }
}

/** Ends an invitation, or somebody's part in a Room. Whether that may be is asked elsewhere. Who left shows as revoked. */
export function endParticipant(
  tx: Transaction,
  participant: ParticipantRow,
  status: 'revoked' | 'declined' | 'left',
  now: Date,
): ParticipantRow {
  const { workspace_id, room_id, participant_id } = participant
  tx.save(participantEnd, [workspace_id, room_id, participant_id, status, now])
  return {
    ...participant,
    status: status === 'declined' ? 'declined' : 'revoked',
    updated_at: now.toISOString(),
  }
}

/** Ends what a member had in the next Rooms behind one, by their ids, that are not told of it yet; gives whom it ended. */
export const endSomeOfMembership = (
  tx: Transaction,
  workspace_id: string,
  membership_id: string,
  { behind, limit }: { behind: string; limit: number },
) => tx.run(endOfMembership, [workspace_id, membership_id, behind, limit])

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

/**
 * Puts an owner of the Workspace into a Room with full access for good, whatever they had there; undefined where they have
 * that already, or where there is no such Room.
 */
export const admitOwner = async (
  tx: Transaction,
  { workspace_id, room_id }: Place,
  user_id: string,
  now: Date,
): Promise<ParticipantRow | undefined> =>
  (await tx.run(ownerAdmit, [workspace_id, room_id, randomUUIDv7(), user_id, now]))[0]

/**
 * Writes down that somebody's time is over, and gives what they were; undefined where it is not, or was told of before.
 * The row is locked first, so that of two at once the second sees what the first has said.
 */
export async function recordExpiry(
  tx: Transaction,
  { workspace_id, room_id, participant_id }: Place & { participant_id: string },
): Promise<ParticipantRow | undefined> {
  const values = [workspace_id, room_id, participant_id]
  const [, [expired]] = await Promise.all([
    tx.run(participantLock, values),
    tx.run(participantExpire, values),
  ])
  return expired
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

const ownerAdmit = write<ParticipantRow>(
  'room_owner_admit',
  `with p as (
     insert into room_participants as had (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
     select $1, $2, $3, $4, false, 'full_access', 'active', $5, $5 from rooms r where r.workspace_id = $1 and r.id = $2
     on conflict (workspace_id, room_id, user_id) where status = 'active' do update
       set access_level = 'full_access', as_guest = false, membership_id = excluded.membership_id, expires_at = null, updated_at = excluded.updated_at
       where had.access_level <> 'full_access' or had.expires_at is not null or not ${holds('had')}
     returning *
   )
   select ${participantColumns} from p left join users u on u.id = p.user_id`,
)

const hasNotEnded = `p.status in ('pending', 'active')`

/** A change of one participant: $3 is their id. */
const change = (set: string, only = hasNotEnded) =>
  `update room_participants p set ${set} where ${ofRoom} and p.id = $3 and ${only}`

/** The same, and what has become of them. */
const changing = (name: string, set: string, only = hasNotEnded) =>
  write<ParticipantRow>(
    name,
    `with p as (${change(set, only)} returning *)
     select ${participantColumns} from p left join users u on u.id = p.user_id`,
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

const participantLevelSave = write(
  'room_participant_level_save',
  change('access_level = $4, updated_at = $5'),
)

const participantEnd = write(
  'room_participant_end',
  change('status = $4, membership_id = null, updated_at = $5'),
)

const endOfMembership = write<ParticipantRow>(
  'room_participants_end_of_membership',
  `with due as (
     select workspace_id, room_id, id from room_participants
     where workspace_id = $1 and membership_id = $2 and room_id > $3 order by room_id limit $4 for no key update
   ), p as (
     update room_participants p set status = 'revoked', membership_id = null, updated_at = now()
     from due where p.workspace_id = due.workspace_id and p.room_id = due.room_id and p.id = due.id
     returning p.*
   )
   select ${participantColumns} from p left join users u on u.id = p.user_id order by p.room_id`,
)

const participantActivate = write(
  'room_participant_activate',
  change(`status = 'active', user_id = $4, updated_at = $5, as_guest = not ${isMember('$4')}`, isPending),
)

const participantLock = write(
  'room_participant_lock',
  `select from room_participants p where ${ofRoom} and p.id = $3 for no key update`,
)

const participantExpire = changing(
  'room_participant_expire',
  `status = 'expired', membership_id = null`,
  `(p.status = 'expired' or ${isOver}) and not exists (
     select from events e
     where e.workspace_id = $1 and e.room_id = $2 and e.type = 'participant.expired' and e.subject ->> 'id' = p.id::text)`,
)
