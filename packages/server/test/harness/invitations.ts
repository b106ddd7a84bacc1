import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { SendNotice } from '../../src/call/notices/notice.ts'
import type { MailMessage, Mailer } from '../../src/mail/mailer.ts'
import { eventually } from './eventually.ts'
import type { Person, TestService } from './service.ts'

/** Puts pending invitations into a Workspace past everything, with tokens of one's own if need be. */
export async function insertInvitations(
  service: TestService,
  workspace_id: string,
  inviter: Person,
  invited: readonly { email: string; token?: string }[],
): Promise<{ id: string; token: string }[]> {
  const rows = invited.map(({ email, token }) => ({
    id: randomUUIDv7(),
    email,
    token: token ?? `svi_${randomUUID().replaceAll('-', '')}abcdefghijk`,
  }))
  await service.sql(
    `insert into team_invitations (workspace_id, id, email, email_key, role, token_digest, invited_by, expires_at, created_at, updated_at)
     select $1, id, email, email, 'member', sha256(token::bytea), $2, now() + interval '14 days', now(), now()
     from jsonb_to_recordset($3::jsonb) as r (id uuid, token text, email text)`,
    [workspace_id, inviter.user_id, JSON.stringify(rows)],
  )
  return rows
}

/** Inserts a pending invitation to a Room directly, and gives its token. */
export async function insertRoomInvitation(
  service: TestService,
  { workspace_id, room_id }: { workspace_id: string; room_id: string },
  inviter: Person,
  invited: Person,
): Promise<string> {
  const token = `svr_${randomUUID().replaceAll('-', '')}abcdefghijk`
  await service.sql(
    `insert into room_participants (workspace_id, room_id, id, email, email_key, access_level, status, token_digest, token_number,
       invited_by, invited_until, created_at, updated_at)
     values ($1, $2, gen_random_uuid(), $3, $3, 'view', 'pending', sha256($4::bytea), 1, $5, now() + interval '14 days', now(), now())`,
    [workspace_id, room_id, invited.email, token, inviter.user_id],
  )
  return token
}

/** Stores sent mail. */
export interface Mailbox {
  mailer: Mailer
  messages: (MailMessage & { id: string })[]
  /** Sends notices without a budget. */
  sendNotice: SendNotice
  /** Waits for the nth message to an address, and gives the token of its link. */
  token(email: string, nth?: number): Promise<string>
}

export function createMailbox(): Mailbox {
  const messages: Mailbox['messages'] = []
  const mailer: Mailer = { send: async (message, id) => void messages.push({ ...message, id }) }
  return {
    messages,
    mailer,
    sendNotice: (_notice, message, { id }) => mailer.send(message, id),
    async token(email, nth = 1) {
      const message = await eventually(() => messages.filter(({ to }) => to === email)[nth - 1])
      return tokenIn(message.text)
    },
  }
}

export const tokenIn = (text: string): string => /#token=(sv[ir]_[\w-]{43})\b/.exec(text)?.[1] ?? 'no token'
