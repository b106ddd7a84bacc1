import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { hasNotEnded, removesManager } from './participant.ts'
import {
  lockParticipant,
  participantById,
  type OneParticipantRow,
  type ParticipantRow,
} from './participant-store.ts'
import {
  beforeRoomChange,
  openRoom,
  requireRoom,
  viewerOf,
  type CallerInWorkspace,
  type CallerOfChange,
} from '../room-access.ts'
import type { OpenedRoom, RoomRow } from '../room-store.ts'

/** Names a participant, as the path of an operation does. */
interface ParticipantKey {
  room_id: string
  participant_id: string
}

/** A participant whom the caller can see, in a Room that they can see. Throws not_found. */
export async function requireParticipant(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  { room_id, participant_id }: ParticipantKey,
): Promise<ParticipantRow> {
  const room = await requireRoom(context, reader, room_id)
  const participant = await participantById(reader, viewerOf(context), room, participant_id)
  return requireFound(participant, context.refuse)
}

/** Checks before a replay that the caller can still see the participant of the path. Throws not_found. */
async function checkParticipantVisible(
  key: ParticipantKey,
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireParticipant(context, context.tx, key)
}

/** What runs before a handler that begins by opening the participant of its path. */
export const beforeParticipantChange = {
  visible: checkParticipantVisible,
  prefetch: beforeRoomChange.prefetch,
}

/** Locks a Room and a participant in it for a change. Throws not_found if the caller cannot see both. */
export async function openParticipant(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  { room_id, participant_id }: ParticipantKey,
): Promise<{ room: OpenedRoom<'view'>; participant: OneParticipantRow }> {
  const room = await openRoom(context, room_id, 'view')
  const participant = await lockParticipant(context.tx, viewerOf(context), room, participant_id)
  return { room, participant: requireFound(participant, context.refuse) }
}

function requireFound<Row extends ParticipantRow>(
  participant: Row | undefined,
  refuse: Refuse<'not_found'>,
): Row {
  if (!participant)
    throw refuse.not_found('There is no such participant in the Room, or you cannot see them.')
  return participant
}

/** Throws forbidden if the level is higher than the caller's own in the Room. */
export function requireGrantableLevel(room: RoomRow, level: AccessLevel, refuse: Refuse<'forbidden'>): void {
  if (!includes(room.access_level, level))
    throw refuse.forbidden(`You cannot grant or change a level above yours, which is ${room.access_level}.`)
}

/** Throws state_conflict if the participation or invitation has ended. */
export function requireNotEnded(participant: ParticipantRow, refuse: Refuse<'state_conflict'>): void {
  if (!hasNotEnded(participant))
    throw refuse.state_conflict(
      'The participation or invitation has ended. To give access again, send a new invitation.',
      {
        current_status: participant.status,
      },
    )
}

/**
 * Throws state_conflict if a change would leave the Room without a participant who has full access and no end date. A level
 * of null means that the participation ends.
 */
export function requireOtherManager(
  before: OneParticipantRow,
  level: AccessLevel | null,
  refuse: Refuse<'state_conflict'>,
): void {
  if (removesManager(before, level) && !before.has_other_manager)
    throw refuse.state_conflict(
      'A Room needs a participant who has full access without an end date. Give it to somebody else first.',
      {
        current_status: 'last_full_access',
      },
    )
}
