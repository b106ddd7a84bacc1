import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { isPastEndSql } from './participant-status-store.ts'
import { isInRoomSql, participantColumns, type ParticipantRow, type RoomKey } from './participant-store.ts'
import { membershipLastsSql } from '../visibility/room-visibility-store.ts'
import type { OpenedRoom } from '../room-store.ts'

/** Saves another level for a participant. */
export function saveLevel(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'full_access'>,
  participant: ParticipantRow,
  access_level: AccessLevel,
  now: Date,
): ParticipantRow {
  const { participant_id } = participant
  tx.save(participantLevelSave, { workspace_id, room_id, participant_id, access_level, now })
  return { ...participant, access_level, updated_at: now.toISOString() }
}

/** Ends a participation or an invitation. A participant who left appears as revoked. The handler checks that it may end. */
export function endParticipant(
  tx: Transaction,
  participant: ParticipantRow,
  status: 'revoked' | 'declined' | 'left',
  now: Date,
): ParticipantRow {
  const { workspace_id, room_id, participant_id } = participant
  tx.save(participantEnd, { workspace_id, room_id, participant_id, status, now })
  return {
    ...participant,
    status: status === 'declined' ? 'declined' : 'revoked',
    updated_at: now.toISOString(),
  }
}

/**
 * Ends the participations of a membership that still have its id, in the next Rooms by id. Returns those that it ended.
 */
export const endParticipationsOfMembership = (
  tx: Transaction,
  workspace_id: string,
  membership_id: string,
  { after, limit }: { after: string; limit: number },
) => tx.run(membershipEnd, { workspace_id, membership_id, after, limit })

/**
 * Gives an owner of the Workspace full access to a Room without an end date. Undefined if they already have that, or if there
 * is no such Room.
 */
export const grantBreakGlassAccess = async (
  tx: Transaction,
  { workspace_id, room_id }: RoomKey,
  user_id: string,
  now: Date,
): Promise<ParticipantRow | undefined> =>
  (await tx.run(ownerGrant, { workspace_id, room_id, participant_id: randomUUIDv7(), user_id, now }))[0]

/**
 * Records that a participation or an invitation has expired, and returns it. Undefined if it has not, or if that has been
 * recorded. The row is locked first, so that the second of two concurrent jobs sees the event of the first.
 */
export async function recordExpiry(
  tx: Transaction,
  { workspace_id, room_id, participant_id }: RoomKey & { participant_id: string },
): Promise<ParticipantRow | undefined> {
  const values = { workspace_id, room_id, participant_id }
  const [, [expired]] = await Promise.all([
    tx.run(participantLock, values),
    tx.run(participantExpire, values),
  ])
  return expired
}

/** The rows `p` that a change returned, as participants. */
const selectChanged = `select ${participantColumns} from p left join users u on u.id = p.user_id`

const ownerGrant = write<ParticipantRow>(
  'room_break_glass',
  `with p as (
     insert into room_participants as had (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
     select :workspace_id, :room_id, :participant_id, :user_id, false, 'full_access', 'active', :now, :now from rooms r where r.workspace_id = :workspace_id and r.id = :room_id
     on conflict (workspace_id, room_id, user_id) where status = 'active' do update
       set access_level = 'full_access', as_guest = false, membership_id = excluded.membership_id, expires_at = null, updated_at = excluded.updated_at
       where had.access_level <> 'full_access' or had.expires_at is not null or not ${membershipLastsSql('had')}
     returning *
   )
   ${selectChanged}`,
)

const isNotRecordedAsEndedSql = `p.status in ('pending', 'active')`

/** An update of the participant `:participant_id`. */
export const updateParticipantSql = (set: string, condition = isNotRecordedAsEndedSql) =>
  `update room_participants p set ${set} where ${isInRoomSql} and p.id = :participant_id and ${condition}`

const participantLevelSave = write(
  'room_participant_level_save',
  updateParticipantSql('access_level = :access_level, updated_at = :now'),
)

const participantEnd = write(
  'room_participant_end',
  updateParticipantSql('status = :status, membership_id = null, updated_at = :now'),
)

const membershipEnd = write<ParticipantRow>(
  'room_participants_end_of_membership',
  `with due as (
     select workspace_id, room_id, id from room_participants
     where workspace_id = :workspace_id and membership_id = :membership_id and room_id > :after order by room_id limit :limit for no key update
   ), p as (
     update room_participants p set status = 'revoked', membership_id = null, updated_at = now()
     from due where p.workspace_id = due.workspace_id and p.room_id = due.room_id and p.id = due.id
     returning p.*
   )
   ${selectChanged} order by p.room_id`,
)

const participantLock = write(
  'room_participant_lock',
  `select from room_participants p where ${isInRoomSql} and p.id = :participant_id for no key update`,
)

const expireSql = updateParticipantSql(
  `status = 'expired', membership_id = null`,
  `(p.status = 'expired' or ${isPastEndSql}) and not exists (
     select from events e
     where e.workspace_id = :workspace_id and e.room_id = :room_id and e.type = 'participant.expired' and e.subject ->> 'id' = p.id::text)`,
)

const participantExpire = write<ParticipantRow>(
  'room_participant_expire',
  `with p as (${expireSql} returning *)
   ${selectChanged}`,
)
