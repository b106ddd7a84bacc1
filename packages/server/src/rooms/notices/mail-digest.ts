import type { Scope } from '@wbs/contract/scopes'
import type { HeldNotices, TakeHeldNotices } from '../../call/notices/notice.ts'
import type { Reader, RowScope } from '../../database/statement.ts'
import { emailKey } from '../../identity/email-address.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { digestMessage, type DigestPlace } from '../../mail/digest-message.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { userInWorkspace } from '../access/access-explanation-store.ts'
import { digestRecipient, openRoomTitles } from './digest-store.ts'

interface Parts {
  readers: { scoped(scope: RowScope): Reader }
  mailer: Mailer
  takeHeldNotices: TakeHeldNotices
  /** Whether people get mail about Tasks and approvals. */
  taskMail: boolean
}

/**
 * Mails a user how much was asked of them without a mail for each. Leaves out Rooms that they cannot open now and what they may
 * not read; does nothing if nothing is left, or they have no address.
 */
export const mailDigest =
  ({ readers, mailer, takeHeldNotices, taskMail }: Parts): JobHandlers['mail_digest'] =>
  async ({ workspace_id, user_id }, job) => {
    if (!taskMail) return
    const held = await takeHeldNotices({ workspace_id, recipient_user_id: user_id }, job)
    const reader = readers.scoped({ workspace_id, user_id })
    const [{ viewer, permissions }, recipient] = await Promise.all([
      userInWorkspace(reader, workspace_id, user_id),
      digestRecipient(reader, workspace_id, user_id),
    ])
    const to = recipient?.email ? emailKey(recipient.email) : null
    if (!recipient || to === null) return
    const titles = await openRoomTitles(reader, viewer, roomsOf(held))
    const places = placesOf(held, titles, permissions)
    if (places.length === 0) return
    await mailer.send(digestMessage({ to, workspace_name: recipient.workspace_name, places }), job.id)
  }

const roomsOf = (held: readonly HeldNotices[]) => [
  ...new Set(held.flatMap(({ room_id }) => (room_id === null ? [] : [room_id]))),
]

/** What is asked in each place that the reader can open, the most first. `permissions` is null for a guest. */
function placesOf(
  held: readonly HeldNotices[],
  titles: ReadonlyMap<string, string>,
  permissions: ReadonlySet<Scope> | null,
): DigestPlace[] {
  const shown = held.filter(
    ({ room_id, about }) =>
      (room_id === null ? permissions !== null : titles.has(room_id)) && mayRead(about, permissions),
  )
  return [...Map.groupBy(shown, ({ room_id }) => room_id)].map(([room_id, notices]) => {
    const count = (wanted: HeldNotices['about']) =>
      notices.filter(({ about }) => about === wanted).reduce((sum, { things }) => sum + things, 0)
    const room = room_id === null ? null : { room_id, title: titles.get(room_id) ?? '' }
    return { room, tasks: count('task'), approvals: count('approval') }
  })
}

/** Guests read the Tasks of their Rooms; only members are asked for approvals. */
const mayRead = (about: HeldNotices['about'], permissions: ReadonlySet<Scope> | null): boolean =>
  about === 'task'
    ? permissions?.has('tasks:read') !== false
    : permissions !== null && permissions.has('approvals:read') && permissions.has('approvals:decide')
