import type { Reader, RowScope } from '../../database/statement.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { teamInvitationMessage } from '../../mail/invitation-message.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { invitationToMail } from './team-invitation-store.ts'
import { invitationLink, type InvitationTokens } from '../../identity/invitation-token.ts'

interface Parts {
  readers: { scoped(scope: RowScope): Reader }
  mailer: Mailer
  tokens: InvitationTokens
  /** The address of the page that shows an invitation. */
  page: () => string
}

/**
 * Mails an invitation with the token of the number in the job. Does nothing if that token is no longer valid, because the
 * invitation was sent again, answered or revoked, or has expired.
 */
export const mailTeamInvitation =
  ({ readers, mailer, tokens, page }: Parts): JobHandlers['mail_team_invitation'] =>
  async ({ workspace_id, invitation_id, token_number }, job) => {
    const digest = tokens.digestOf(invitation_id, token_number)
    const reader = readers.scoped({ workspace_id, user_id: null })
    const invitation = await invitationToMail(reader, workspace_id, invitation_id, digest)
    if (!invitation) return
    const message = teamInvitationMessage({
      to: invitation.email_key,
      workspace_name: invitation.workspace_name,
      inviter_name: invitation.inviter_name,
      role: invitation.role,
      link: invitationLink(page(), tokens.tokenOf(invitation_id, token_number)),
      expires_at: new Date(invitation.expires_at),
    })
    await mailer.send(message, job.id)
  }
