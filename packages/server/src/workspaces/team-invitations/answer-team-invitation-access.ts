import type { acceptInvitation, declineInvitation, inspectInvitation } from '@wbs/contract/invitations'
import type { MutationContext, MutationOutcome, QueryContext } from '../../call/implement.ts'
import { maskedEmail } from '../../identity/email-address.ts'
import { noSuchToken, openForAnswer } from './invitation-access.ts'
import { endInvitation, invitationById, isMember, type InvitationByToken } from './invitation-store.ts'
import { invitationEvent, invitationResource, presentInvitation } from './invitation-view.ts'
import { addMember } from '../workspace-store.ts'
import { presentAccess, presentWorkspace } from '../workspace-view.ts'

type Found = InvitationByToken & { digest: Buffer }

/** What an invitation into a team is for. Throws not_found. */
export async function inspectTeamInvitation(
  { workspace_id, id, workspace_name, inviter_name, email, role, expires_at }: Found,
  { within, refuse }: QueryContext<typeof inspectInvitation>,
) {
  const invitation = await invitationById(within(workspace_id), workspace_id, id)
  if (!invitation) throw refuse.not_found(noSuchToken)
  const { status } = invitation
  return {
    kind: 'team' as const,
    workspace_name,
    inviter_name,
    masked_email: maskedEmail(email),
    role,
    status,
    expires_at,
  }
}

type Accepting = MutationContext<typeof acceptInvitation>

/** Makes a member of the invited person. */
export async function acceptTeamInvitation(
  invited: Found,
  { caller, tx, now, refuse }: Accepting,
): Promise<MutationOutcome<typeof acceptInvitation>> {
  const [{ invitation, workspace }, isThere] = await Promise.all([
    openForAnswer(tx, caller, invited, refuse),
    isMember(tx, invited.workspace_id, caller.user_id),
  ])
  if (isThere) throw refuse.already_exists('You are already a member of the Workspace.')
  const { user_id, email, name } = caller
  const membership = addMember(tx, workspace.id, caller, invitation.role, now)
  const accepted = endInvitation(tx, invitation, 'accepted', user_id, now)
  return {
    result: {
      data: presentInvitation(accepted),
      membership,
      workspace: presentWorkspace(workspace),
      access: presentAccess(membership.role),
    },
    workspace_id: workspace.id,
    resource: invitationResource(accepted),
    changed: ['status'],
    events: [
      invitationEvent('team_invitation.accepted', accepted),
      {
        type: 'member.joined',
        subject: { type: 'membership', id: membership.id, name },
        about: { user_id, email, name },
        data: { role: membership.role, invitation_id: accepted.invitation_id },
      },
    ],
  }
}

/** That the caller belongs to the team that invited them, before they are told again. Throws not_found, forbidden. */
export async function requireJoinedTeam(
  { workspace_id }: Found,
  { caller, tx, refuse }: Accepting,
): Promise<void> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  if (!(await isMember(tx, workspace_id, caller.user_id)))
    throw refuse.forbidden('You are not a member of the Workspace.')
}

/** Ends the invitation for the invited person. */
export async function declineTeamInvitation(
  invited: Found,
  { caller, tx, now, refuse }: MutationContext<typeof declineInvitation>,
): Promise<MutationOutcome<typeof declineInvitation>> {
  const { invitation, workspace } = await openForAnswer(tx, caller, invited, refuse)
  const declined = endInvitation(tx, invitation, 'declined', null, now)
  return {
    result: { data: presentInvitation(declined) },
    workspace_id: workspace.id,
    resource: invitationResource(declined),
    changed: ['status'],
    events: [invitationEvent('team_invitation.declined', declined)],
  }
}
