import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { seesAllParticipants, type Participant } from './participant.ts'
import { hasNotEndedSql, statusSql } from './participant-status-store.ts'
import type { RoomRow } from '../room-store.ts'
import { isMemberSql, membershipLastsSql, type Viewer } from '../visibility/room-visibility-store.ts'

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
  /** The API key that sent the invitation. */
  sent_with: string | null
  invited_until: string | null
  expires_at: string | null
  can_download: boolean
  created_at: string
  updated_at: string
}

/** A participant, read for a change. */
export interface OneParticipantRow extends ParticipantRow {
  /** For somebody with full access: whether another participant has it too, without an end date. */
  has_other_manager: boolean
}

/** Names a Room. */
export interface RoomKey {
  workspace_id: string
  room_id: string
}

/** The Room and the viewer: the parameters of `isInRoomSql` and `isVisibleSql`. */
const visibleTo = (viewer: Viewer, { workspace_id, room_id, ...room }: RoomRow) => ({
  workspace_id,
  room_id,
  sees_all: seesAllParticipants(viewer, room),
  viewer_id: viewer.user_id,
})

/** A page of the participants and pending invitations of a Room that the viewer can see, by id, after a cursor. */
export const participantsPage = (
  reader: Reader,
  viewer: Viewer,
  room: RoomRow,
  { after, limit }: { after: string | null; limit: number },
) => reader.many(visibleParticipants, { ...visibleTo(viewer, room), after, limit })

/** A participant whom the viewer can see, including one that has ended. */
export const participantById = (reader: Reader, viewer: Viewer, room: RoomRow, participant_id: string) =>
  reader.one(visibleParticipantById, { ...visibleTo(viewer, room), participant_id })

/** Locks a participant whom the viewer can see, including one that has ended, so that no job records their end meanwhile. */
export const lockParticipant = async (
  tx: Transaction,
  viewer: Viewer,
  room: RoomRow,
  participant_id: string,
): Promise<OneParticipantRow | undefined> =>
  (await tx.run(visibleParticipantLock, { ...visibleTo(viewer, room), participant_id }))[0]

/** Locks an invitation for the person who has its token: the token shows that they may see it. */
export const lockInvitation = async (
  tx: Transaction,
  { workspace_id, room_id, participant_id }: RoomKey & { participant_id: string },
): Promise<OneParticipantRow | undefined> =>
  (
    await tx.run(visibleParticipantLock, {
      workspace_id,
      room_id,
      sees_all: true,
      viewer_id: null,
      participant_id,
    })
  )[0]

/** The Room to which a participant belongs or belonged. */
export const roomOfParticipant = (reader: Reader, workspace_id: string, participant_id: string) =>
  reader.one(roomByParticipant, { workspace_id, participant_id })

/** The participation of a user in a Room that has not ended. */
export const participantOfUser = (reader: Reader, { workspace_id, room_id }: RoomKey, user_id: string) =>
  reader.one(participantByUser, { workspace_id, room_id, user_id })

/**
 * Locks the participant with an email address, or else the pending invitation to it; `spellings` are the forms of the address
 * that issuers may use.
 */
export const lockParticipantByEmail = async (
  tx: Transaction,
  { workspace_id, room_id }: RoomKey,
  email_key: string,
  spellings: readonly string[],
): Promise<ParticipantRow | undefined> =>
  (await tx.run(participantByEmailLock, { workspace_id, room_id, email_key, spellings }))[0]

/** How many participants and pending invitations a Room has. */
export async function countParticipants(reader: Reader, { workspace_id, room_id }: RoomKey): Promise<number> {
  return (await reader.one(participantCount, { workspace_id, room_id }))?.count ?? 0
}

export const participantColumns = `p.workspace_id, p.room_id, p.id as participant_id, p.user_id, coalesce(u.email, p.email) as email, u.name,
  p.access_level, ${statusSql} as status,
  p.token_number, p.invited_by, p.sent_with, p.invited_until, p.expires_at, p.can_download, p.created_at, p.updated_at`

const participants = 'room_participants p left join users u on u.id = p.user_id'

const columnsForChange = `${participantColumns}, p.access_level = 'full_access' and exists (
  select from room_participants other
  where other.workspace_id = :workspace_id and other.room_id = :room_id and other.id <> p.id and other.status = 'active'
    and other.access_level = 'full_access' and other.expires_at is null and ${membershipLastsSql('other')}) as has_other_manager`

export const isInRoomSql = 'p.workspace_id = :workspace_id and p.room_id = :room_id'

/** Whether the viewer can see `p`; `:sees_all` is seesAllParticipants. */
const isVisibleSql = `(
  :sees_all::boolean or p.user_id = :viewer_id or p.status = 'pending' and p.invited_by = :viewer_id or ${isMemberSql('p.user_id')})`

const visibleParticipants = read<ParticipantRow>(
  'room_participants_visible',
  `select ${participantColumns} from ${participants}
   where ${isInRoomSql} and ${isVisibleSql} and ${hasNotEndedSql} and (:after::uuid is null or p.id > :after)
   order by p.id limit :limit`,
  'long',
)

const visibleByIdSql = (columns: string) =>
  `select ${columns} from ${participants} where ${isInRoomSql} and ${isVisibleSql} and p.id = :participant_id`
const visibleParticipantById = read<ParticipantRow>(
  'room_participant_visible',
  visibleByIdSql(participantColumns),
)
const visibleParticipantLock = write<OneParticipantRow>(
  'room_participant_visible_locked',
  `${visibleByIdSql(columnsForChange)} for no key update of p`,
)

const roomByParticipant = read<RoomKey>(
  'room_of_participant',
  'select workspace_id, room_id from room_participants where workspace_id = :workspace_id and id = :participant_id',
)

const participantByUser = read<OneParticipantRow>(
  'room_participant_by_user',
  `select ${columnsForChange} from ${participants} where ${isInRoomSql} and ${hasNotEndedSql} and p.user_id = :user_id`,
)

const participantByEmailLock = write<ParticipantRow>(
  'room_participant_by_email',
  `select ${participantColumns} from ${participants}
   where ${isInRoomSql} and ${hasNotEndedSql} and (p.email_key = :email_key or lower(u.email) = any (:spellings::text[]))
   order by p.status limit 1 for no key update of p`,
)

const participantCount = read<{ count: number }>(
  'room_participants_count',
  `select count(*)::integer as count from room_participants p where ${isInRoomSql} and ${hasNotEndedSql}`,
)
