import { inspectInvitation } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import { maskedEmail } from '../identity/email-address.ts'
import { kindOfToken } from '../identity/invitation-token.ts'
import { inspectTeamInvitation } from '../workspaces/team-invitation-access.ts'
import { requireRoomToken } from './room-invitation-access.ts'

export const handleInspectInvitation = implement(inspectInvitation, async ({ token }, { read, refuse }) => ({
  result: {
    data:
      kindOfToken(token) === 'room'
        ? await inspectRoomInvitation(read, token, refuse)
        : await inspectTeamInvitation(read, token, refuse),
  },
}))

async function inspectRoomInvitation(reader: Reader, token: string, refuse: Refuse<'not_found'>) {
  const found = await requireRoomToken(reader, token, refuse)
  const { workspace_name, room_title, inviter_name, email, access_level, status, expires_at } = found
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
