import type { AuditEventDraft, EventType } from '@wbs/contract/events'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { InvitationRow } from './team-invitation-store.ts'

/** An invitation for the answer to those who manage the team, and to whoever accepted it. */
export const presentInvitation = (row: InvitationRow) => ({
  invitation_id: row.invitation_id,
  workspace_id: row.workspace_id,
  email: row.email,
  role: row.role,
  status: row.status,
  invited_by: { user_id: row.inviter_id, name: row.inviter_name },
  expires_at: row.expires_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  revision: row.revision,
})

type InvitationEvent = Extract<EventType, `team_invitation.${string}`>

export const invitationEvent = <Type extends InvitationEvent>(
  type: Type,
  { invitation_id, email, role }: InvitationRow,
): AuditEventDraft<Type> => ({
  type,
  subject: { type: 'team_invitation', id: invitation_id, name: null },
  data: { email, role },
})

/** The invitation as the resource of a receipt. */
export const invitationResource = ({ invitation_id }: InvitationRow) => ({
  type: 'team_invitation' as const,
  id: invitation_id,
})

/** The job that mails an invitation with its present token. */
export const invitationMailJob = ({
  workspace_id,
  invitation_id,
  token_number,
}: InvitationRow): JobDraft => ({
  kind: 'mail_team_invitation',
  data: { workspace_id, invitation_id, token_number },
})
