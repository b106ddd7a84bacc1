import { composeMessage } from './compose-message.ts'
import type { MailMessage } from './mailer.ts'
import { addressLine, mailLine, unlinkedLine, type MailLine } from './mail-line.ts'

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
  const { to, link, expires_at } = invitation
  const workspace = unlinkedLine(invitation.workspace_name, 100)
  const inviter = unlinkedLine(invitation.inviter_name ?? '', 80) || mailLine`Somebody`
  const role = roleWords[invitation.role] ?? unlinkedLine(invitation.role, 40)
  return composeMessage({
    to,
    subject: mailLine`Invitation to the Workspace “${workspace}”`,
    title: mailLine`You are invited`,
    opening: mailLine`${inviter} invites you to the Workspace “${workspace}”, as ${role}.`,
    action: { label: mailLine`Look at it, and accept or decline`, link },
    paragraphs: invitationTerms(to, expires_at),
  })
}

/** Who may accept an invitation, until when, and what happens if they do nothing. */
export const invitationTerms = (to: string, expires_at: Date): MailLine[] => [
  mailLine`The invitation is for ${addressLine(to)} alone, and good until ${expires_at}.`,
  mailLine`If you do not know what this is about, do nothing: opening the link joins nothing, and you will not be reminded.`,
]

const roleWords: Record<string, MailLine> = {
  admin: mailLine`an admin`,
  member: mailLine`a member`,
  viewer: mailLine`a viewer`,
}
