import type { Reader, RowScope } from '../../database/statement.ts'
import { invitationLink, type InvitationTokens } from '../../identity/invitation-token.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { roomInvitationMessage } from '../../mail/room-invitation-message.ts'
import { roomInvitationToMail } from './room-invitation-store.ts'

interface Parts {
  readers: { scoped(scope: RowScope): Reader }
  mailer: Mailer
  tokens: InvitationTokens
  /** The address of the page that shows an invitation. */
  page: () => string
}

/**
 * Mails an invitation to a Room with the token of the number in the job. Does nothing if that token is no longer valid,
 * because the invitation was sent again, answered or revoked, or has expired.
 */
export const mailRoomInvitation =
  ({ readers, mailer, tokens, page }: Parts): JobHandlers['mail_room_invitation'] =>
  async ({ workspace_id, room_id, participant_id, token_number }, job) => {
    const digest = tokens.digestOf(participant_id, token_number)
    const reader = readers.scoped({ workspace_id, user_id: null })
    const invitation = await roomInvitationToMail(reader, workspace_id, room_id, participant_id, digest)
    if (!invitation) return
    const { email_key, expires_at, ...details } = invitation
    const message = roomInvitationMessage({
      ...details,
      to: email_key,
      link: invitationLink(page(), tokens.tokenOf(participant_id, token_number)),
      expires_at: new Date(expires_at),
    })
    await mailer.send(message, job.id)
  }
