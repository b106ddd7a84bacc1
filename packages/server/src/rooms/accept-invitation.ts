import { acceptInvitation } from '@wbs/contract/invitations'
import { implement, type MutationContext, type MutationOutcome } from '../call/implement.ts'
import { kindOfToken } from '../identity/invitation-token.ts'
import { noSuchToken } from '../workspaces/invitation-access.ts'
import { acceptTeamInvitation, requireJoinedTeam } from '../workspaces/team-invitation-access.ts'
import { rememberPerson } from '../workspaces/workspace-store.ts'
import { participantOfUser } from './participant-store.ts'
import { expiryOf, participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { openRoomAnswer, requireRoomInvited, requireRoomToken, tokenAhead } from './room-invitation-access.ts'
import { activateParticipant } from './room-invitation-change-store.ts'
import { roomToJoin } from './room-joining-store.ts'
import { viewerById } from './room-reasons-store.ts'
import { roomById } from './room-store.ts'
import { presentRoom } from './room-view.ts'

type Context = MutationContext<typeof acceptInvitation>

export const handleAcceptInvitation = implement(
  acceptInvitation,
  async ({ token }, context) =>
    kindOfToken(token) === 'room'
      ? acceptRoomInvitation(token, context)
      : acceptTeamInvitation(token, context),
  {
    ahead: tokenAhead,
    visible: async ({ token }, context) =>
      kindOfToken(token) === 'room' ? requireJoinedRoom(token, context) : requireJoinedTeam(token, context),
  },
)

async function acceptRoomInvitation(
  token: string,
  { caller, tx, now, refuse }: Context,
): Promise<MutationOutcome<typeof acceptInvitation>> {
  const invited = await requireRoomInvited(tx, caller, token, refuse)
  const [pending, own, room] = await Promise.all([
    openRoomAnswer(tx, caller, invited, refuse),
    participantOfUser(tx, invited, caller.user_id),
    roomToJoin(tx, invited, caller.user_id),
  ])
  if (!room) throw refuse.not_found(noSuchToken)
  if (own) throw refuse.already_exists('The caller is a participant of the Room already.')
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

/** That the caller can see the Room that a token invited to, before they are told again. Throws not_found. */
async function requireJoinedRoom(token: string, { caller, tx, refuse }: Context): Promise<void> {
  const { workspace_id, room_id } = await requireRoomToken(tx, token, refuse)
  tx.enter({ workspace_id, user_id: caller.user_id })
  const viewer = await viewerById(tx, workspace_id, caller.user_id)
  if (!(await roomById(tx, viewer, room_id)))
    throw refuse.not_found('There is no such Room, or the caller cannot see it.')
}
