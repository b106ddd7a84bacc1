import type { acceptInvitation, declineInvitation, inspectInvitation } from '@wbs/contract/invitations'
import type { SignedInCaller } from '../../call/authority/caller.ts'
import type { MutationContext, MutationOutcome, QueryContext } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { maskedEmail } from '../../identity/email-address.ts'
import { noSuchToken, requireUnanswered } from '../../workspaces/team-invitations/invitation-access.ts'
import { rememberPerson } from '../../workspaces/workspace-store.ts'
import { viewerById } from '../access/room-reasons-store.ts'
import { endParticipant } from '../participants/participant-change-store.ts'
import { lockParticipant, participantOfUser, type ParticipantRow } from '../participants/participant-store.ts'
import {
  expiryOf,
  participantEvent,
  participantResource,
  presentParticipant,
} from '../participants/participant-view.ts'
import { requireActive } from '../room-access.ts'
import { lockRoomState } from '../room-lock-store.ts'
import { roomById } from '../room-store.ts'
import { presentRoom } from '../room-view.ts'
import { activateParticipant } from './room-invitation-change-store.ts'
import { lockRoomSender, roomInvitationNow, type RoomInvitation } from './room-invitation-store.ts'
import { roomToJoin } from './room-joining-store.ts'

type Accepting = MutationContext<typeof acceptInvitation>
type Found = RoomInvitation & { digest: Buffer }

/**
 * Moves the transaction into the Workspace of an invitation to a Room that its invited person may answer now, and locks
 * the Room. Throws not_found where it was declined or revoked, or its sender could not send it now; gone where it has
 * expired; and state_conflict where it was accepted, or the Workspace or the Room takes no changes. All is sent at once:
 * what is sent next looks behind the locks.
 */
async function openRoomAnswer(
  tx: Transaction,
  caller: SignedInCaller,
  { workspace_id, room_id, participant_id, digest }: Found,
  refuse: Refuse<'not_found' | 'gone' | 'state_conflict'>,
): Promise<ParticipantRow> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  const onlooker = { user_id: caller.user_id, sees_all: true }
  const [, room, participant, now] = await Promise.all([
    lockRoomSender(tx, workspace_id, digest),
    lockRoomState(tx, workspace_id, room_id),
    lockParticipant(tx, { workspace_id, room_id }, onlooker, participant_id),
    roomInvitationNow(tx, workspace_id, digest),
  ])
  if (!room || !participant || !now) throw refuse.not_found(noSuchToken)
  requireUnanswered(now.status, refuse)
  if (room.workspace_status !== 'active')
    throw refuse.state_conflict(`The Workspace is ${room.workspace_status}, so nobody can join its Rooms.`, {
      current_status: room.workspace_status,
    })
  requireActive(room, refuse)
  return participant
}

/** What an invitation to a Room is for. Throws not_found. */
export async function inspectRoomInvitation(
  { digest, workspace_id, workspace_name, room_title, inviter_name, email, access_level, expires_at }: Found,
  { within, refuse }: QueryContext<typeof inspectInvitation>,
) {
  const now = await roomInvitationNow(within(workspace_id), workspace_id, digest)
  if (!now) throw refuse.not_found(noSuchToken)
  const { status } = now
  return {
    kind: 'room' as const,
    workspace_name,
    room_title,
    inviter_name,
    masked_email: maskedEmail(email),
    access_level,
    status,
    expires_at,
  }
}

/** Makes a participant of the invited person. */
export async function acceptRoomInvitation(
  invited: Found,
  { caller, tx, now, refuse }: Accepting,
): Promise<MutationOutcome<typeof acceptInvitation>> {
  const [pending, own, room] = await Promise.all([
    openRoomAnswer(tx, caller, invited, refuse),
    participantOfUser(tx, invited, caller.user_id),
    roomToJoin(tx, invited, caller.user_id),
  ])
  if (!room) throw refuse.not_found(noSuchToken)
  if (own) throw refuse.already_exists('You are already a participant of the Room.')
  rememberPerson(tx, caller)
  const participant = activateParticipant(tx, pending, caller, now)
  return {
    result: { participant: presentParticipant(participant), room: presentRoom(room) },
    workspace_id: invited.workspace_id,
    resource: participantResource(participant),
    changed: ['status'],
    events: [participantEvent('participant.joined', participant)],
    jobs: expiryOf(participant),
  }
}

/** That the caller can see the Room they were invited to, before they are told again. Throws not_found. */
export async function requireJoinedRoom(
  { workspace_id, room_id }: Found,
  { caller, tx, refuse }: Accepting,
): Promise<void> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  const viewer = await viewerById(tx, workspace_id, caller.user_id)
  if (!(await roomById(tx, viewer, room_id)))
    throw refuse.not_found('There is no such Room, or you cannot see it.')
}

/** Ends the invitation for the invited person. */
export async function declineRoomInvitation(
  invited: Found,
  { caller, tx, now, refuse }: MutationContext<typeof declineInvitation>,
): Promise<MutationOutcome<typeof declineInvitation>> {
  const pending = await openRoomAnswer(tx, caller, invited, refuse)
  const declined = endParticipant(tx, pending, 'declined', now)
  return {
    result: { participant: presentParticipant(declined) },
    workspace_id: invited.workspace_id,
    resource: participantResource(declined),
    changed: ['status'],
    events: [participantEvent('participant.declined', declined)],
  }
}
