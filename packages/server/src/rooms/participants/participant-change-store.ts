import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { isOver, ofRoom, participantColumns, type ParticipantRow, type Place } from './participant-store.ts'
import { holds } from '../room-visibility-store.ts'
import type { OpenedRoom } from '../room-store.ts'

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
export const change = (set: string, only = hasNotEnded) =>
  `update room_participants p set ${set} where ${ofRoom} and p.id = $3 and ${only}`

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

const participantLock = write(
  'room_participant_lock',
  `select from room_participants p where ${ofRoom} and p.id = $3 for no key update`,
)

const expire = change(
  `status = 'expired', membership_id = null`,
  `(p.status = 'expired' or ${isOver}) and not exists (
     select from events e
     where e.workspace_id = $1 and e.room_id = $2 and e.type = 'participant.expired' and e.subject ->> 'id' = p.id::text)`,
)

const participantExpire = write<ParticipantRow>(
  'room_participant_expire',
  `with p as (${expire} returning *)
   select ${participantColumns} from p left join users u on u.id = p.user_id`,
)
