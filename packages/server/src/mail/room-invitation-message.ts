import { formatUtc } from './format-utc.ts'
import type { MailMessage } from './mailer.ts'
import { messageHtml } from './message-html.ts'
import { plainLine, unlinkedLine } from './plain-line.ts'

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
  const { to, access_level, link } = invitation
  const room = unlinkedLine(invitation.room_title, 100)
  const workspace = unlinkedLine(invitation.workspace_name, 100)
  const inviter = unlinkedLine(invitation.inviter_name ?? '', 80) || 'Somebody'
  const opening = `${inviter} invites you to the Room “${room}” of “${workspace}”, ${levelWords[access_level] ?? `with the level ${access_level}`}.`
  const said = unlinkedLine(invitation.message ?? '', 2000)
  const saying = said === '' ? [] : [`${inviter} writes: “${said}”`]
  const until = `The invitation is for ${to} alone, and good until ${formatUtc(invitation.expires_at)}.`
  const closing =
    'If you do not know what this is about, do nothing: opening the link joins nothing, and you will not be reminded.'
  return {
    to,
    subject: `Invitation to the Room “${plainLine(invitation.room_title, 100)}”`,
    text: [opening, ...saying, `Look at it, and accept or decline:\n${link}`, until, closing, ''].join(
      '\n\n',
    ),
    html: messageHtml({
      title: 'You are invited',
      opening,
      action: { label: 'Look at the invitation', link },
      paragraphs: [...saying, until, closing],
    }),
  }
}

const levelWords: Record<string, string> = {
  view: 'to view what is in it',
  edit: 'to view and edit what is in it',
  full_access: 'with full access',
}
