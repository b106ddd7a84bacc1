import { acceptInvitation } from '@wbs/contract/invitations'
import { implement, type MutationContext, type MutationOutcome } from '../call/implement.ts'
import { kindOfToken } from '../identity/invitation-token.ts'
import { acceptTeamInvitation, requireJoinedTeam } from '../workspaces/team-invitation-access.ts'
import { rememberPerson } from '../workspaces/workspace-store.ts'
import { activateParticipant } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import { expiryOf, participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { openRoomAnswer, requireRoomToken } from './room-invitation-access.ts'
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
    visible: async ({ token }, context) =>
      kindOfToken(token) === 'room' ? requireJoinedRoom(token, context) : requireJoinedTeam(token, context),
  },
)

async function acceptRoomInvitation(
  token: string,
  { caller, tx, now, refuse }: Context,
): Promise<MutationOutcome<typeof acceptInvitation>> {
  const invited = await openRoomAnswer(tx, caller, token, refuse)
  const { workspace_id, room_id } = invited
  if (await participantOfUser(tx, invited, caller.user_id))
    throw refuse.already_exists('The caller is a participant of the Room already.')
  rememberPerson(tx, caller)
  const participant = await activateParticipant(tx, invited, caller.user_id, now)
  const viewer = await viewerById(tx, workspace_id, caller.user_id)
  const room = await roomById(tx, viewer, room_id)
  // What was given to them may end in the very moment in which they accept it.
  if (!room) throw refuse.gone('The invitation has expired. Whoever sent it can send another one.')
  return {
    result: { participant: presentParticipant(participant), room: presentRoom(room) },
    workspace_id,
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
