import { inspectInvitation } from '@wbs/contract/invitations'
import { implement, type QueryContext } from '../call/implement.ts'
import { maskedEmail } from '../identity/email-address.ts'
import { kindOfToken } from '../identity/invitation-token.ts'
import { inspectTeamInvitation } from '../workspaces/team-invitation-access.ts'
import { noSuchToken } from '../workspaces/invitation-access.ts'
import { requireRoomToken } from './room-invitation-access.ts'
import { roomInvitationNow } from './room-invitation-store.ts'

type Context = QueryContext<typeof inspectInvitation>

export const handleInspectInvitation = implement(inspectInvitation, async ({ token }, context) => ({
  result: {
    data:
      kindOfToken(token) === 'room'
        ? await inspectRoomInvitation(token, context)
        : await inspectTeamInvitation(token, context),
  },
}))

async function inspectRoomInvitation(token: string, { read, within, refuse }: Context) {
  const found = await requireRoomToken(read, token, refuse)
  const { workspace_id, workspace_name, room_title, inviter_name, email, access_level, expires_at } = found
  const now = await roomInvitationNow(within(workspace_id), workspace_id, found.digest)
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
