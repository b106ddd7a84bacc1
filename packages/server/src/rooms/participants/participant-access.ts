import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Caller } from '../../call/authority/caller.ts'
import type { Refuse } from '../../call/problem.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { endsManagement, isLive } from './participant.ts'
import {
  lockParticipant,
  participantById,
  type OneParticipantRow,
  type Onlooker,
  type ParticipantRow,
} from './participant-store.ts'
import { ofNamedRoom, openRoom, seenRoom } from '../room-access.ts'
import type { OpenedRoom, RoomRow } from '../room-store.ts'

interface Looking {
  caller: Caller
  standing: Standing | GuestStanding
  refuse: Refuse<'not_found'>
}

interface Named {
  room_id: string
  participant_id: string
}

/** What the caller sees of who is in a Room: where its managers alone see all, rival bidders do not see each other. */
export const onlookerOf = ({ caller, standing }: Omit<Looking, 'refuse'>, room: RoomRow): Onlooker => ({
  user_id: caller.user_id,
  sees_all:
    standing.role !== null ||
    room.participant_visibility === 'everyone' ||
    includes(room.access_level, 'full_access'),
})

/** A participant whom the caller can see, in a Room that they can see. Throws not_found. */
export async function seenParticipant(
  context: Looking,
  reader: Reader,
  { room_id, participant_id }: Named,
): Promise<ParticipantRow> {
  const room = await seenRoom(context, reader, room_id)
  const seen = await participantById(reader, room, onlookerOf(context, room), participant_id)
  return requireSeen(seen, context.refuse)
}

/** That the participant a mutation names can be seen, before a replay is given out. */
async function participantVisible(named: Named, context: Looking & { tx: Transaction }): Promise<void> {
  await seenParticipant(context, context.tx, named)
}

/** What comes before a change of a participant whom its path names. */
export const ofNamedParticipant = { visible: participantVisible, prefetch: ofNamedRoom.prefetch }

/** Opens a Room that the caller can see, and a participant in it, for a change. Throws not_found. */
export async function openParticipant(
  context: Looking & { tx: Transaction; refuse: Refuse<'not_found' | 'forbidden'> },
  { room_id, participant_id }: Named,
): Promise<{ room: OpenedRoom<'view'>; participant: OneParticipantRow }> {
  const room = await openRoom(context, room_id, 'view')
  const seen = await lockParticipant(context.tx, room, onlookerOf(context, room), participant_id)
  return { room, participant: requireSeen(seen, context.refuse) }
}

function requireSeen<Row extends ParticipantRow>(seen: Row | undefined, refuse: Refuse<'not_found'>): Row {
  if (!seen) throw refuse.not_found('There is no such participant in the Room, or you cannot see them.')
  return seen
}

/** Throws forbidden unless the caller may give somebody this level in the Room: nobody gives more than they have. */
export function requireToGive(room: RoomRow, level: AccessLevel, refuse: Refuse<'forbidden'>): void {
  if (!includes(room.access_level, level))
    throw refuse.forbidden(`You cannot grant or change a level above yours, which is ${room.access_level}.`)
}

/** Throws state_conflict where it has ended. */
export function requireLive(participant: ParticipantRow, refuse: Refuse<'state_conflict'>): void {
  if (!isLive(participant))
    throw refuse.state_conflict(
      'The participation or invitation has ended. To give access again, send a new invitation.',
      {
        current_status: participant.status,
      },
    )
}

/** Throws state_conflict where nobody would be left with full access to the Room for good. Null ends what somebody has. */
export function requireManagerLeft(
  before: OneParticipantRow,
  level: AccessLevel | null,
  refuse: Refuse<'state_conflict'>,
): void {
  if (endsManagement(before, level) && !before.others_manage)
    throw refuse.state_conflict(
      'A Room needs a participant who has full access without an end date. Give it to somebody else first.',
      {
        current_status: 'last_full_access',
      },
    )
}
