import { inspectInvitation } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import { inspectRoomInvitation } from '../rooms/invitations/answer-room-invitation-access.ts'
import { inspectTeamInvitation } from '../workspaces/team-invitations/answer-team-invitation-access.ts'
import { requireInvitation } from './invitation-access.ts'

export const handleInspectInvitation = implement(
  inspectInvitation,
  async function inspectInvitation({ token }, context) {
    const found = await requireInvitation(context.read, token, context.refuse)
    const data = await (found.kind === 'room'
      ? inspectRoomInvitation(found, context)
      : inspectTeamInvitation(found, context))
    return { result: { data } }
  },
)
