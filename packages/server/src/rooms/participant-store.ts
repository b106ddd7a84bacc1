import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Participant } from './participant.ts'
import type { OpenedRoom } from './room-store.ts'

/** A participant of a Room, or an invitation to it. */
export interface ParticipantRow extends Participant {
  workspace_id: string
  room_id: string
  participant_id: string
  /** Null for an invitation, as is the name. */
  user_id: string | null
  email: string | null
  name: string | null
  token_number: number
  invited_until: string | null
  expires_at: string | null
  can_download: boolean
  created_at: string
  updated_at: string
}

/** For whom participants are looked up. */
export interface Onlooker {
  user_id: string
  /** Else they see members of the Workspace, themselves, and the invitations that they sent. */
  sees_all: boolean
}

interface Place {
  workspace_id: string
  room_id: string
}

/** A page of those who are in a Room or invited to it, by id, after a cursor. */
export const participantsPage = (
  reader: Reader,
  { workspace_id, room_id }: Place,
  { sees_all, user_id }: Onlooker,
  after: string | null,
  limit: number,
) => reader.many(participantsSeen, [workspace_id, room_id, sees_all, user_id, after, limit])

/** A participant whom the onlooker can see, whatever has become of them. */
export const participantById = (
  reader: Reader,
  { workspace_id, room_id }: Place,
  { sees_all, user_id }: Onlooker,
  participant_id: string,
) => reader.one(participantSeen, [workspace_id, room_id, sees_all, user_id, participant_id])

/** Who is in a Room as this user. */
export const participantOfUser = (reader: Reader, { workspace_id, room_id }: Place, user_id: string) =>
  reader.one(participantByUser, [workspace_id, room_id, user_id])

/** Who is in a Room, or else invited to it, under an address; `spellings` are those that issuers may have for it. */
export const participantOfAddress = (
  reader: Reader,
  { workspace_id, room_id }: Place,
  email_key: string,
  spellings: readonly string[],
) => reader.one(participantByAddress, [workspace_id, room_id, email_key, spellings])

export async function countParticipants(reader: Reader, { workspace_id, room_id }: Place): Promise<number> {
  return (await reader.one(participantCount, [workspace_id, room_id]))?.count ?? 0
}

/** Whether somebody else has full access to the Room, and not just until some day. */
export async function hasOtherManager(
  reader: Reader,
  { workspace_id, room_id, participant_id }: ParticipantRow,
): Promise<boolean> {
  return (await reader.one(otherManager, [workspace_id, room_id, participant_id])) !== undefined
}

/** What an invitation gives, and says. */
export interface Invitation {
  email: string
  access_level: AccessLevel
  can_download: boolean
  expires_at: string | null
  message: string | null
}

/**
 * Keeps a new invitation, good for 14 days by the database's clock. One of the same address whose time is over makes way.
 */
export async function insertParticipant(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  invitation: Invitation & { email_key: string; invited_by: string; digestOf: (id: string) => Buffer },
  now: Date,
): Promise<ParticipantRow> {
  const { email, email_key, access_level, can_download, expires_at, message, invited_by } = invitation
  const id = randomUUIDv7()
  const [, rows] = await Promise.all([
    tx.run(expireAddress, [workspace_id, room_id, email_key]),
    tx.run(participantInsert, [
      workspace_id,
      room_id,
      id,
      email,
      email_key,
      access_level,
      can_download,
      expires_at,
      message,
      invited_by,
      invitation.digestOf(id),
      now,
    ]),
  ])
  return only(rows)
}

/** Gives an invitation another token and another 14 days. The token before it finds nothing any more. */
export const renewParticipant = (
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  { participant_id, token_number }: ParticipantRow,
  to: { invited_by: string | null; token_digest: Buffer },
  now: Date,
) =>
  changed(
    tx.run(participantRenew, [
      workspace_id,
      room_id,
      participant_id,
      token_number + 1,
      to.token_digest,
      to.invited_by,
      now,
    ]),
  )

/** Has an invitation give, and say, something else. */
export const saveInvitation = (
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  { participant_id }: ParticipantRow,
  { email, access_level, can_download, expires_at, message }: Invitation,
  now: Date,
) =>
  changed(
    tx.run(participantSave, [
      workspace_id,
      room_id,
      participant_id,
      email,
      access_level,
      can_download,
      expires_at,
      message,
      now,
    ]),
  )

export const saveLevel = (
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'full_access'>,
  { participant_id }: ParticipantRow,
  access_level: AccessLevel,
  now: Date,
) => changed(tx.run(participantLevelSave, [workspace_id, room_id, participant_id, access_level, now]))

/** Ends an invitation, or somebody's part in a Room. Whether that may be is asked elsewhere. */
export const endParticipant = (
  tx: Transaction,
  { workspace_id, room_id, participant_id }: ParticipantRow,
  status: 'revoked' | 'declined' | 'left',
  now: Date,
) => changed(tx.run(participantEnd, [workspace_id, room_id, participant_id, status, now]))

/** Makes a participant of who was invited. What they had before, and has expired, makes way. */
export async function activateParticipant(
  tx: Transaction,
  { workspace_id, room_id, participant_id }: ParticipantRow,
  user_id: string,
  now: Date,
): Promise<ParticipantRow> {
  const [, rows] = await Promise.all([
    tx.run(expireUser, [workspace_id, room_id, user_id]),
    tx.run(participantActivate, [workspace_id, room_id, participant_id, user_id, now]),
  ])
  return only(rows)
}

/** Puts an owner of the Workspace into a Room with full access for good, whatever they had there. */
export const admitOwner = (tx: Transaction, { workspace_id, room_id }: Place, user_id: string, now: Date) =>
  changed(tx.run(ownerAdmit, [workspace_id, room_id, randomUUIDv7(), user_id, now]))

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

const changed = async (rows: Promise<ParticipantRow[]>): Promise<ParticipantRow> => only(await rows)

function only([row]: ParticipantRow[]): ParticipantRow {
  if (!row) throw new Error('The participant was not changed.')
  return row
}

// That somebody's time is over counts at once; it is written down by a job, or when another row takes the place of theirs.
const isOver = `(p.status = 'pending' and least(p.invited_until, p.expires_at) <= now() or p.status = 'active' and p.expires_at <= now())`
const isLive = `p.status in ('pending', 'active') and not coalesce(${isOver}, false)`

const columns = `p.workspace_id, p.room_id, p.id as participant_id, p.user_id, coalesce(u.email, p.email) as email, u.name,
  p.access_level, case when ${isOver} then 'expired' when p.status = 'left' then 'revoked' else p.status end as status,
  p.token_number, p.invited_by, p.invited_until, p.expires_at, p.can_download, p.created_at, p.updated_at`
const participants = 'room_participants p left join users u on u.id = p.user_id'
const ofRoom = 'p.workspace_id = $1 and p.room_id = $2'

// $3 and $4 are the onlooker.
const isSeen = `(
  $3::boolean or p.user_id = $4 or p.status = 'pending' and p.invited_by = $4 or exists (
    select from memberships m where m.workspace_id = p.workspace_id and m.user_id = p.user_id and m.status = 'active'
  ))`

const participantsSeen = read<ParticipantRow>(
  'room_participants_seen',
  `select ${columns} from ${participants}
   where ${ofRoom} and ${isSeen} and ${isLive} and ($5::uuid is null or p.id > $5)
   order by p.id limit $6`,
)

const participantSeen = read<ParticipantRow>(
  'room_participant_seen',
  `select ${columns} from ${participants} where ${ofRoom} and ${isSeen} and p.id = $5`,
)

const participantByUser = read<ParticipantRow>(
  'room_participant_by_user',
  `select ${columns} from ${participants} where ${ofRoom} and ${isLive} and p.user_id = $3`,
)

const participantByAddress = read<ParticipantRow>(
  'room_participant_by_address',
  `select ${columns} from ${participants}
   where ${ofRoom} and ${isLive} and (p.email_key = $3 or lower(u.email) = any ($4::text[]))
   order by p.status limit 1`,
)

const participantCount = read<{ count: number }>(
  'room_participants_count',
  `select count(*)::integer as count from room_participants p where ${ofRoom} and ${isLive}`,
)

const otherManager = read<{ id: string }>(
  'room_other_manager',
  `select p.id from room_participants p
   where ${ofRoom} and p.id <> $3 and p.status = 'active' and p.access_level = 'full_access' and p.expires_at is null
     and (p.as_guest or exists (
       select from memberships m where m.workspace_id = p.workspace_id and m.user_id = p.user_id and m.status = 'active'))
   limit 1`,
)

const expireAddress = write(
  'room_participant_expire_address',
  `update room_participants p set status = 'expired' where ${ofRoom} and p.email_key = $3 and ${isOver}`,
)

const expireUser = write(
  'room_participant_expire_user',
  `update room_participants p set status = 'expired' where ${ofRoom} and p.user_id = $3 and ${isOver}`,
)

const participantInsert = write<ParticipantRow>(
  'room_participant_insert',
  `with p as (
     insert into room_participants (workspace_id, room_id, id, email, email_key, access_level, status, can_download, expires_at,
       message, invited_by, token_digest, token_number, invited_until, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, 1, now() + interval '14 days', $12, $12)
     returning *
   )
   select ${columns} from p left join users u on u.id = p.user_id`,
)

const ownerAdmit = write<ParticipantRow>(
  'room_owner_admit',
  `with p as (
     insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
     values ($1, $2, $3, $4, false, 'full_access', 'active', $5, $5)
     on conflict (workspace_id, room_id, user_id) where status = 'active' do update
       set access_level = 'full_access', as_guest = false, expires_at = null, updated_at = excluded.updated_at
     returning *
   )
   select ${columns} from p left join users u on u.id = p.user_id`,
)

/** A change of one participant that has not ended: $3 is their id. */
const changing = (name: string, set: string, only = `p.status in ('pending', 'active')`) =>
  write<ParticipantRow>(
    name,
    `with p as (
       update room_participants p set ${set} where ${ofRoom} and p.id = $3 and ${only} returning *
     )
     select ${columns} from p left join users u on u.id = p.user_id`,
  )

const isPending = `p.status = 'pending'`

const participantRenew = changing(
  'room_participant_renew',
  `token_number = $4, token_digest = $5, invited_by = $6, invited_until = now() + interval '14 days', updated_at = $7`,
  isPending,
)

const participantSave = changing(
  'room_participant_save',
  `email = $4, access_level = $5, can_download = $6, expires_at = $7, message = $8, updated_at = $9`,
  isPending,
)

const participantLevelSave = changing('room_participant_level_save', 'access_level = $4, updated_at = $5')

const participantEnd = changing('room_participant_end', 'status = $4, updated_at = $5')

const participantActivate = changing(
  'room_participant_activate',
  `status = 'active', user_id = $4, updated_at = $5, as_guest = not exists (
     select from memberships m where m.workspace_id = p.workspace_id and m.user_id = $4 and m.status = 'active'
   )`,
  isPending,
)

const participantLock = write(
  'room_participant_lock',
  `select from room_participants p where ${ofRoom} and p.id = $3 for no key update`,
)

const participantExpire = changing(
  'room_participant_expire',
  `status = 'expired'`,
  `(p.status = 'expired' or ${isOver}) and not exists (
     select from events e
     where e.workspace_id = $1 and e.room_id = $2 and e.type = 'participant.expired' and e.subject ->> 'id' = p.id::text)`,
)
