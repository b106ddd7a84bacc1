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
  tx.save(invitationInsert, { ...invitation, email_key, token_digest, now })
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
  tx.save(invitationRenew, { ...renewed, token_digest, now })
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
  const ended = { ...invitation, status, accepted_by }
  tx.save(invitationEnd, { ...ended, now })
  return { ...ended, revision: invitation.revision + 1, updated_at: now.toISOString() }
}

const invitationInsert = write(
  'team_invitation_insert',
  `insert into team_invitations (workspace_id, id, email, email_key, role, token_digest, invited_by, sent_with, expires_at,
     created_at, updated_at)
   values (:workspace_id, :invitation_id, :email, :email_key, :role, :token_digest, :inviter_id, :sent_with, :expires_at,
     :now, :now)`,
)

const invitationRenew = updateRevision(
  'team_invitation_renew',
  `update team_invitations
   set email = :email, role = :role, invited_by = :inviter_id, sent_with = :sent_with, token_number = :token_number,
     token_digest = :token_digest, expires_at = :expires_at, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :invitation_id and status = 'pending' and revision = :revision`,
)

const invitationEnd = updateRevision(
  'team_invitation_end',
  `update team_invitations set status = :status, accepted_by = :accepted_by, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :invitation_id and status = 'pending' and revision = :revision`,
)
