// What the sender of an invitation may do now, as SQL expressions for the statements that look invitations up.

import { invitedRoles } from '@wbs/contract/workspaces/team-invitations'
import { neverByKey, type Scope } from '@wbs/contract/scopes'
import type { Caller } from '../../call/authority/caller.ts'
import { hasPermissionsSql, scopeArraySql } from '../../call/authority/permissions.ts'
import { lockSharedSql } from '../../database/locks.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { neededToGrant } from './granting.ts'

/**
 * Whether the member who sent the invitation `sent` is still a member, and may do all that an array of scopes names: in
 * person, or with the API key that they sent it with. Whoever left and came back has another membership. $1 is the
 * Workspace.
 */
export const senderMay = (sent: string, wanted: string): string => `exists (
  select from memberships sender
  where sender.workspace_id = $1 and sender.id = ${sent}.sent_as and sender.status = 'active'
    and ${hasPermissionsSql('sender', wanted)}
    and (${sent}.sent_with is null or exists (
      select from api_keys k
      where k.workspace_id = $1 and k.id = ${sent}.sent_with
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > statement_timestamp())
        and k.scopes @> ${wanted} and not ${wanted} && ${scopeArraySql(neverByKey)})))`

const toInvite = (role: (typeof invitedRoles)[number]): Scope[] => [
  'team:manage',
  ...neededToGrant({ role, permissions: {} }),
]

/** Whether the sender of the invitation `i` into a team could send it now. */
export const couldInviteNow = senderMay(
  'i',
  `case i.role ${invitedRoles.map(role => `when '${role}' then ${scopeArraySql(toInvite(role))}`).join(' ')} end`,
)

/** Who sends an invitation, and with which key. */
export const senderOf = (caller: Caller): { invited_by: string; sent_with: string | null } => ({
  invited_by: caller.user_id,
  sent_with: caller.kind === 'key' ? caller.key_id : null,
})

/** Keeps what the sender of an invitation may do as it is, until it was answered by who has its token. */
export const lockSender = (tx: Transaction, workspace_id: string, digest: Buffer) =>
  tx.run(senderLock, [workspace_id, digest])

/** The same of invitations that a table holds, of which $1 is the Workspace and $2 the digest of the token. */
export const lockSenderStatement = (name: string, invitations: 'team_invitations' | 'room_participants') =>
  write(
    name,
    `select ${lockSharedSql('$1')}
     from ${invitations} sent cross join lateral (
       values ('workspace', ''), ('member', sent.invited_by::text), ('api_key', sent.sent_with::text)
     ) as named (thing, id)
     where sent.workspace_id = $1 and sent.token_digest = $2 and named.id is not null`,
  )

const senderLock = lockSenderStatement('team_invitation_sender_lock', 'team_invitations')
