import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Participant } from './participant.ts'
import { couldInviteNow } from './room-sender-store.ts'
import { holds, isMember } from '../room-visibility-store.ts'

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
  /** The API key that an invitation was sent with. */
  sent_with: string | null
  invited_until: string | null
  expires_at: string | null
  can_download: boolean
  created_at: string
  updated_at: string
}

/** The same, as a change of it looks at it. */
export interface OneParticipantRow extends ParticipantRow {
  /** Of who has full access to the Room: whether somebody else has it too, and not just until some day. */
  others_manage: boolean
}

/** For whom participants are looked up. */
export interface Onlooker {
  user_id: string
  /** Else they see members of the Workspace, themselves, and the invitations that they sent. */
  sees_all: boolean
}

export interface Place {
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

/** The same for a change, locked: nobody writes down meanwhile that their time is over. */
export const lockParticipant = async (
  tx: Transaction,
  { workspace_id, room_id }: Place,
  { sees_all, user_id }: Onlooker,
  participant_id: string,
): Promise<OneParticipantRow | undefined> =>
  (await tx.run(participantLocked, [workspace_id, room_id, sees_all, user_id, participant_id]))[0]

/** The Room that a participant is, or was, of. */
export const participantAnywhere = (reader: Reader, workspace_id: string, participant_id: string) =>
  reader.one(placeOfParticipant, [workspace_id, participant_id])

/** Who is in a Room as this user. */
export const participantOfUser = (reader: Reader, { workspace_id, room_id }: Place, user_id: string) =>
  reader.one(participantByUser, [workspace_id, room_id, user_id])

/** Who is in a Room, or else invited to it, under an address, locked; `spellings` are those that issuers may have for it. */
export const lockParticipantOfAddress = async (
  tx: Transaction,
  { workspace_id, room_id }: Place,
  email_key: string,
  spellings: readonly string[],
): Promise<ParticipantRow | undefined> =>
  (await tx.run(participantByAddress, [workspace_id, room_id, email_key, spellings]))[0]

export async function countParticipants(reader: Reader, { workspace_id, room_id }: Place): Promise<number> {
  return (await reader.one(participantCount, [workspace_id, room_id]))?.count ?? 0
}

// That somebody's time is over counts at once; it is written down by a job, or when another row takes the place of theirs.
export const isOver = `(
  p.status = 'pending' and least(p.invited_until, p.expires_at) <= statement_timestamp()
  or p.status = 'active' and p.expires_at <= statement_timestamp())`

/**
 * Whether a participation or an invitation counts as revoked though no row says so: the membership that it belonged to has
 * ended, or its sender could not send it now.
 */
export const isVoid = `case p.status when 'pending' then not ${couldInviteNow} when 'active' then not ${holds('p')} else false end`

const isLive = `p.status in ('pending', 'active') and not coalesce(${isOver}, false) and not ${isVoid}`

export const participantColumns = `p.workspace_id, p.room_id, p.id as participant_id, p.user_id, coalesce(u.email, p.email) as email, u.name,
  p.access_level, case when ${isOver} then 'expired' when p.status = 'left' or ${isVoid} then 'revoked' else p.status end as status,
  p.token_number, p.invited_by, p.sent_with, p.invited_until, p.expires_at, p.can_download, p.created_at, p.updated_at`

const participants = 'room_participants p left join users u on u.id = p.user_id'

const columnsOfOne = `${participantColumns}, p.access_level = 'full_access' and exists (
  select from room_participants other
  where other.workspace_id = $1 and other.room_id = $2 and other.id <> p.id and other.status = 'active'
    and other.access_level = 'full_access' and other.expires_at is null and ${holds('other')}) as others_manage`

export const ofRoom = 'p.workspace_id = $1 and p.room_id = $2'

// $3 and $4 are the onlooker.
const isSeen = `(
  $3::boolean or p.user_id = $4 or p.status = 'pending' and p.invited_by = $4 or ${isMember('p.user_id')})`

const participantsSeen = read<ParticipantRow>(
  'room_participants_seen',
  `select ${participantColumns} from ${participants}
   where ${ofRoom} and ${isSeen} and ${isLive} and ($5::uuid is null or p.id > $5)
   order by p.id limit $6`,
  'long',
)

const seenById = (columns: string) =>
  `select ${columns} from ${participants} where ${ofRoom} and ${isSeen} and p.id = $5`
const participantSeen = read<ParticipantRow>('room_participant_seen', seenById(participantColumns))
const participantLocked = write<OneParticipantRow>(
  'room_participant_seen_locked',
  `${seenById(columnsOfOne)} for no key update of p`,
)

const placeOfParticipant = read<Place>(
  'room_participant_place',
  'select workspace_id, room_id from room_participants where workspace_id = $1 and id = $2',
)

const participantByUser = read<OneParticipantRow>(
  'room_participant_by_user',
  `select ${columnsOfOne} from ${participants} where ${ofRoom} and ${isLive} and p.user_id = $3`,
)

const participantByAddress = write<ParticipantRow>(
  'room_participant_by_address',
  `select ${participantColumns} from ${participants}
   where ${ofRoom} and ${isLive} and (p.email_key = $3 or lower(u.email) = any ($4::text[]))
   order by p.status limit 1 for no key update of p`,
)

const participantCount = read<{ count: number }>(
  'room_participants_count',
  `select count(*)::integer as count from room_participants p where ${ofRoom} and ${isLive}`,
)
