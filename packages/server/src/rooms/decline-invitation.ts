import { declineInvitation } from '@wbs/contract/invitations'
import { implement, type MutationContext, type MutationOutcome } from '../call/implement.ts'
import { kindOfToken } from '../identity/invitation-token.ts'
import { requireInvited } from '../workspaces/invitation-access.ts'
import { declineTeamInvitation } from '../workspaces/team-invitation-access.ts'
import { endParticipant } from './participant-change-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { openRoomAnswer, requireRoomInvited, tokenAhead } from './room-invitation-access.ts'

export const handleDeclineInvitation = implement(
  declineInvitation,
  async ({ token }, context) =>
    kindOfToken(token) === 'room'
      ? declineRoomInvitation(token, context)
      : declineTeamInvitation(token, context),
  {
    outsiders: true,
    ahead: tokenAhead,
    visible: async ({ token }, { caller, tx, refuse }) => {
      const required = kindOfToken(token) === 'room' ? requireRoomInvited : requireInvited
      await required(tx, caller, token, refuse)
    },
  },
)

async function declineRoomInvitation(
  token: string,
  { caller, tx, now, refuse }: MutationContext<typeof declineInvitation>,
): Promise<MutationOutcome<typeof declineInvitation>> {
  const invited = await requireRoomInvited(tx, caller, token, refuse)
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
