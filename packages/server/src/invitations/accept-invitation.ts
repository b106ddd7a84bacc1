import { acceptInvitation } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import {
  acceptRoomInvitation,
  checkJoinedRoomVisible,
} from '../rooms/invitations/answer-room-invitation-access.ts'
import {
  acceptTeamInvitation,
  checkJoinedTeam,
} from '../workspaces/team-invitations/answer-team-invitation-access.ts'
import { prefetchInvitation, requireInvitation, requireOwnInvitation } from './invitation-access.ts'

export const handleAcceptInvitation = implement(
  acceptInvitation,
  async function acceptInvitation({ token }, context) {
    const { caller, tx, refuse } = context
    const found = await requireOwnInvitation(tx, caller, token, refuse)
    return found.kind === 'room' ? acceptRoomInvitation(found, context) : acceptTeamInvitation(found, context)
  },
  {
    prefetch: prefetchInvitation,
    async visible({ token }, context) {
      const found = await requireInvitation(context.tx, token, context.refuse)
      await (found.kind === 'room' ? checkJoinedRoomVisible(found, context) : checkJoinedTeam(found, context))
    },
  },
)
