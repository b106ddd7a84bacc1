// SQL for what the sender of an invitation may do now.

import { invitedRoles } from '@wbs/contract/workspaces/team-invitations'
import { forbiddenForKeys, type Scope } from '@wbs/contract/scopes'
import type { Caller } from '../../call/authority/caller.ts'
import { hasPermissionsSql, scopeArraySql } from '../../call/authority/permissions.ts'
import { lockSharedSql } from '../../database/locks.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { requiredToGrant } from '../team/grant-rules.ts'

/**
 * Whether the sender of the invitation `sent` still has the membership with which they sent it, and may do all that an array of
 * scopes names: in person, or with the API key that sent it. A later membership of the same person does not count.
 */
export const senderMaySql = (sent: string, wanted: string): string => `exists (
  select from memberships sender
  where sender.workspace_id = :workspace_id and sender.id = ${sent}.sent_as and sender.status = 'active'
    and ${hasPermissionsSql('sender', wanted)}
    and (${sent}.sent_with is null or exists (
      select from api_keys k
      where k.workspace_id = :workspace_id and k.id = ${sent}.sent_with
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > statement_timestamp())
        and k.scopes @> ${wanted} and not ${wanted} && ${scopeArraySql(forbiddenForKeys)})))`

const scopesToInvite = (role: (typeof invitedRoles)[number]): Scope[] => [
  'team:manage',
  ...requiredToGrant({ role, permissions: {} }),
]

/** Whether the sender of the team invitation `i` could send it now. */
export const couldInviteNowSql = senderMaySql(
  'i',
  `case i.role ${invitedRoles.map(role => `when '${role}' then ${scopeArraySql(scopesToInvite(role))}`).join(' ')} end`,
)

/** Who sends an invitation, and with which API key. */
export const senderOf = (caller: Caller): { invited_by: string; sent_with: string | null } => ({
  invited_by: caller.user_id,
  sent_with: caller.kind === 'key' ? caller.key_id : null,
})

/** Locks the membership and the API key of the sender shared, so that their authority does not change during the answer. */
export const lockSender = (tx: Transaction, workspace_id: string, digest: Buffer) =>
  tx.run(senderLock, { workspace_id, token_digest: digest })

/** The statement of lockSender for a table of invitations. */
export const lockSenderStatement = (name: string, invitations: 'team_invitations' | 'room_participants') =>
  write(
    name,
    `select ${lockSharedSql(':workspace_id')}
     from ${invitations} sent cross join lateral (
       values ('workspace', ''), ('member', sent.invited_by::text), ('api_key', sent.sent_with::text)
     ) as named (thing, id)
     where sent.workspace_id = :workspace_id and sent.token_digest = :token_digest and named.id is not null`,
  )

const senderLock = lockSenderStatement('team_invitation_sender_lock', 'team_invitations')
