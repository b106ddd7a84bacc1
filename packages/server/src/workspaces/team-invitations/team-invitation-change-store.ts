import { updateRevision, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { InvitationRow } from './team-invitation-store.ts'

/** What is saved each time that an invitation is sent. */
type SendDetails = Pick<
  InvitationRow,
  'email' | 'role' | 'inviter_id' | 'inviter_name' | 'sent_with' | 'expires_at'
> & { token_digest: Buffer }

type NewInvitation = SendDetails & { workspace_id: string; invitation_id: string; email_key: string }

/** Inserts an invitation. */
export function insertInvitation(tx: Transaction, invitation: NewInvitation, now: Date): InvitationRow {
  const { email_key, token_digest, ...shown } = invitation
  tx.save(invitationInsert, [
    invitation.workspace_id,
    invitation.invitation_id,
    invitation.email,
    email_key,
    invitation.role,
    token_digest,
    invitation.inviter_id,
    now,
    invitation.sent_with,
    invitation.expires_at,
  ])
  const [created_at, updated_at] = [now.toISOString(), now.toISOString()]
  const status = 'pending'
  return { ...shown, status, token_number: 1, accepted_by: null, created_at, updated_at, revision: 1 }
}

/** Gives an invitation a new token. The earlier token is no longer valid. */
export function renewInvitation(
  tx: Transaction,
  invitation: InvitationRow,
  { token_digest, ...details }: SendDetails,
  now: Date,
): InvitationRow {
  const renewed = { ...invitation, ...details, token_number: invitation.token_number + 1 }
  tx.save(invitationRenew, [
    renewed.workspace_id,
    renewed.invitation_id,
    renewed.email,
    renewed.role,
    renewed.inviter_id,
    renewed.token_number,
    token_digest,
    now,
    renewed.sent_with,
    renewed.expires_at,
    invitation.revision,
  ])
  return { ...renewed, status: 'pending', updated_at: now.toISOString(), revision: renewed.revision + 1 }
}

/** Ends a locked, pending invitation. `accepted_by` is the user who accepted it, else null. */
export function endInvitation(
  tx: Transaction,
  invitation: InvitationRow,
  status: 'accepted' | 'declined' | 'revoked',
  accepted_by: string | null,
  now: Date,
): InvitationRow {
  const { workspace_id, invitation_id, revision } = invitation
  tx.save(invitationEnd, [workspace_id, invitation_id, status, accepted_by, now, revision])
  return { ...invitation, status, accepted_by, revision: revision + 1, updated_at: now.toISOString() }
}

const invitationInsert = write(
  'team_invitation_insert',
  `insert into team_invitations (workspace_id, id, email, email_key, role, token_digest, invited_by, sent_with, expires_at,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $9, $10, $8, $8)`,
)

const invitationRenew = updateRevision(
  'team_invitation_renew',
  `update team_invitations
   set email = $3, role = $4, invited_by = $5, sent_with = $9, token_number = $6, token_digest = $7, expires_at = $10,
       revision = revision + 1, updated_at = $8
   where workspace_id = $1 and id = $2 and status = 'pending' and revision = $11`,
)

const invitationEnd = updateRevision(
  'team_invitation_end',
  `update team_invitations set status = $3, accepted_by = $4, revision = revision + 1, updated_at = $5
   where workspace_id = $1 and id = $2 and status = 'pending' and revision = $6`,
)
