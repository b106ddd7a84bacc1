import type { acceptInvitation, declineInvitation, inspectInvitation } from '@wbs/contract/invitations'
import type { SignedInCaller } from '../../call/authority/caller.ts'
import type { MutationContext, MutationOutcome, QueryContext } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { maskedEmail } from '../../identity/email-address.ts'
import {
  noInvitationWithToken,
  requireUnanswered,
} from '../../workspaces/team-invitations/team-invitation-access.ts'
import { saveUser } from '../../workspaces/workspace-store.ts'
import { viewerById } from '../access/access-explanation-store.ts'
import { endParticipant } from '../participants/participant-change-store.ts'
import { lockInvitation, participantOfUser, type ParticipantRow } from '../participants/participant-store.ts'
import {
  expiryJobs,
  participantEvent,
  participantResource,
  presentParticipant,
} from '../participants/participant-view.ts'
import { requireActive } from '../room-access.ts'
import { lockRoomState } from '../room-lock-store.ts'
import { roomById } from '../room-store.ts'
import { presentRoom } from '../room-view.ts'
import { activateParticipant } from './room-invitation-change-store.ts'
import {
  lockSenderOfRoomInvitation,
  roomInvitationStatus,
  type RoomInvitation,
} from './room-invitation-store.ts'
import { acceptedRoom } from './accepted-room-store.ts'

type AcceptContext = MutationContext<typeof acceptInvitation>
type FoundInvitation = RoomInvitation & { digest: Buffer }

/**
 * Locks an invitation and its Room for the answer of the invitee, and moves the transaction into its Workspace. Throws
 * not_found if the invitation was declined or revoked, or its sender could not send it now; gone if it has expired;
 * state_conflict if it was accepted, or the Workspace or the Room cannot be changed. All statements are sent in one round
 * trip, so what the caller sends in the same one runs under the locks.
 */
async function openRoomInvitation(
  tx: Transaction,
  caller: SignedInCaller,
  { workspace_id, room_id, participant_id, digest }: FoundInvitation,
  refuse: Refuse<'not_found' | 'gone' | 'state_conflict'>,
): Promise<ParticipantRow> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  const [, room, participant, now] = await Promise.all([
    lockSenderOfRoomInvitation(tx, workspace_id, digest),
    lockRoomState(tx, workspace_id, room_id),
    lockInvitation(tx, { workspace_id, room_id, participant_id }),
    roomInvitationStatus(tx, workspace_id, digest),
  ])
  if (!room || !participant || !now) throw refuse.not_found(noInvitationWithToken)
  requireUnanswered(now.status, refuse)
  if (room.workspace_status !== 'active')
    throw refuse.state_conflict(`The Workspace is ${room.workspace_status}, so nobody can join its Rooms.`, {
      current_status: room.workspace_status,
    })
  requireActive(room, refuse)
  return participant
}

/** Describes an invitation to a Room to whoever has its token. Throws not_found. */
export async function inspectRoomInvitation(
  {
    digest,
    workspace_id,
    workspace_name,
    room_title,
    inviter_name,
    email,
    access_level,
    expires_at,
  }: FoundInvitation,
  { within, refuse }: QueryContext<typeof inspectInvitation>,
) {
  const now = await roomInvitationStatus(within(workspace_id), workspace_id, digest)
  if (!now) throw refuse.not_found(noInvitationWithToken)
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

/** Makes the invitee a participant. Throws not_found, gone, state_conflict, already_exists. */
export async function acceptRoomInvitation(
  invitation: FoundInvitation,
  { caller, tx, now, refuse }: AcceptContext,
): Promise<MutationOutcome<typeof acceptInvitation>> {
  const [pending, existing, room] = await Promise.all([
    openRoomInvitation(tx, caller, invitation, refuse),
    participantOfUser(tx, invitation, caller.user_id),
    acceptedRoom(tx, invitation, caller.user_id),
  ])
  if (!room) throw refuse.not_found(noInvitationWithToken)
  if (existing) throw refuse.already_exists('You are already a participant of the Room.')
  saveUser(tx, caller)
  const participant = activateParticipant(tx, pending, caller, now)
  return {
    result: { participant: presentParticipant(participant), room: presentRoom(room) },
    workspace_id: invitation.workspace_id,
    resource: participantResource(participant),
    changed: ['status'],
    events: [participantEvent('participant.joined', participant)],
    jobs: expiryJobs(participant),
  }
}

/** Checks before a replay that the caller can still see the Room to which they were invited. Throws not_found. */
export async function checkJoinedRoomVisible(
  { workspace_id, room_id }: FoundInvitation,
  { caller, tx, refuse }: AcceptContext,
): Promise<void> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  const viewer = await viewerById(tx, workspace_id, caller.user_id)
  if (!(await roomById(tx, viewer, room_id)))
    throw refuse.not_found('There is no such Room, or you cannot see it.')
}

/** Declines the invitation. Throws not_found, gone, state_conflict. */
export async function declineRoomInvitation(
  invitation: FoundInvitation,
  { caller, tx, now, refuse }: MutationContext<typeof declineInvitation>,
): Promise<MutationOutcome<typeof declineInvitation>> {
  const pending = await openRoomInvitation(tx, caller, invitation, refuse)
  const declined = endParticipant(tx, pending, 'declined', now)
  return {
    result: { participant: presentParticipant(declined) },
    workspace_id: invitation.workspace_id,
    resource: participantResource(declined),
    changed: ['status'],
    events: [participantEvent('participant.declined', declined)],
  }
}
