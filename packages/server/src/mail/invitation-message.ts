import { formatUtc } from './format-utc.ts'
import { messageHtml } from './message-html.ts'
import type { MailMessage } from './mailer.ts'
import { plainLine, unlinkedLine } from './plain-line.ts'

/** The content of a team invitation. */
export interface TeamInvitation {
  to: string
  workspace_name: string
  inviter_name: string | null
  role: string
  /** The page on which to accept or decline. It works for whoever has the link and the mailbox. */
  link: string
  expires_at: Date
}

/** The mail that invites somebody to the team of a Workspace. */
export function teamInvitationMessage(invitation: TeamInvitation): MailMessage {
  const { to, role, link } = invitation
  const workspace = unlinkedLine(invitation.workspace_name, 100)
  const inviter = unlinkedLine(invitation.inviter_name ?? '', 80) || 'Somebody'
  const opening = `${inviter} invites you to the Workspace “${workspace}”, as ${roleWords[role] ?? role}.`
  const until = `The invitation is for ${to} alone, and good until ${formatUtc(invitation.expires_at)}.`
  const closing =
    'If you do not know what this is about, do nothing: opening the link joins nothing, and you will not be reminded.'
  return {
    to,
    subject: `Invitation to the Workspace “${plainLine(invitation.workspace_name, 100)}”`,
    text: [opening, `Look at it, and accept or decline:\n${link}`, until, closing, ''].join('\n\n'),
    html: messageHtml({
      title: 'You are invited',
      opening,
      action: { label: 'Look at the invitation', link },
      paragraphs: [until, closing],
    }),
  }
}

const roleWords: Record<string, string> = { admin: 'an admin', member: 'a member', viewer: 'a viewer' }
