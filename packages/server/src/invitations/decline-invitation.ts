import { declineInvitation } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import { declineRoomInvitation } from '../rooms/invitations/answer-room-invitation-access.ts'
import { declineTeamInvitation } from '../workspaces/team-invitations/answer-team-invitation-access.ts'
import { prefetchInvitation, requireOwnInvitation } from './invitation-access.ts'

export const handleDeclineInvitation = implement(
  declineInvitation,
  async function declineInvitation({ token }, context) {
    const { caller, tx, refuse } = context
    const found = await requireOwnInvitation(tx, caller, token, refuse)
    return found.kind === 'room'
      ? declineRoomInvitation(found, context)
      : declineTeamInvitation(found, context)
  },
  {
    outsiders: true,
    prefetch: prefetchInvitation,
    async visible({ token }, { caller, tx, refuse }) {
      await requireOwnInvitation(tx, caller, token, refuse)
    },
  },
)
