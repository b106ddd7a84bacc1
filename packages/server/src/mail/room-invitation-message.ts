import { composeMessage } from './compose-message.ts'
import { invitationTerms } from './invitation-message.ts'
import type { MailMessage } from './mailer.ts'
import { mailLine, unlinkedLine, type MailLine } from './mail-line.ts'

/** The content of an invitation to a Room. */
export interface RoomInvitation {
  to: string
  room_title: string
  workspace_name: string
  inviter_name: string | null
  access_level: string
  /** The message of the inviter. */
  message: string | null
  /** The page on which to accept or decline. It works for whoever has the link and the mailbox. */
  link: string
  expires_at: Date
}

/** The mail that invites somebody to a Room. */
export function roomInvitationMessage(invitation: RoomInvitation): MailMessage {
  const { to, access_level, link, expires_at } = invitation
  const room = unlinkedLine(invitation.room_title, 100)
  const workspace = unlinkedLine(invitation.workspace_name, 100)
  const inviter = unlinkedLine(invitation.inviter_name ?? '', 80) || mailLine`Somebody`
  const level = levelWords[access_level] ?? mailLine`with the level ${unlinkedLine(access_level, 40)}`
  const said = unlinkedLine(invitation.message ?? '', 2000)
  return composeMessage({
    to,
    subject: mailLine`Invitation to the Room “${room}”`,
    title: mailLine`You are invited`,
    opening: mailLine`${inviter} invites you to the Room “${room}” of “${workspace}”, ${level}.`,
    action: { label: mailLine`Look at it, and accept or decline`, link },
    paragraphs: [
      ...(said === '' ? [] : [mailLine`${inviter} writes: “${said}”`]),
      ...invitationTerms(to, expires_at),
    ],
  })
}

const levelWords: Record<string, MailLine> = {
  view: mailLine`to view what is in it`,
  edit: mailLine`to view and edit what is in it`,
  full_access: mailLine`with full access`,
}
