import type { acceptInvitation, declineInvitation, inspectInvitation } from '@wbs/contract/invitations'
import type { MutationContext, MutationOutcome, QueryContext } from '../../call/implement.ts'
import { maskedEmail } from '../../identity/email-address.ts'
import { noInvitationWithToken, openTeamInvitation } from './team-invitation-access.ts'
import { endInvitation } from './team-invitation-change-store.ts'
import { invitationById, type InvitationByToken } from './team-invitation-store.ts'
import { invitationEvent, invitationResource, presentInvitation } from './team-invitation-view.ts'
import { isMember } from '../team/team-store.ts'
import { addMember } from '../workspace-store.ts'
import { presentAccess, presentWorkspace } from '../workspace-view.ts'

type FoundInvitation = InvitationByToken & { digest: Buffer }

/** Describes an invitation into a team to whoever has its token. Throws not_found. */
export async function inspectTeamInvitation(
  { workspace_id, id, workspace_name, inviter_name, email, role, expires_at }: FoundInvitation,
  { within, refuse }: QueryContext<typeof inspectInvitation>,
) {
  const invitation = await invitationById(within(workspace_id), workspace_id, id)
  if (!invitation) throw refuse.not_found(noInvitationWithToken)
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

type AcceptContext = MutationContext<typeof acceptInvitation>

/** Makes the invitee a member. Throws not_found, gone, state_conflict, already_exists. */
export async function acceptTeamInvitation(
  found: FoundInvitation,
  { caller, tx, now, refuse }: AcceptContext,
): Promise<MutationOutcome<typeof acceptInvitation>> {
  const [{ invitation, workspace }, isAlreadyMember] = await Promise.all([
    openTeamInvitation(tx, caller, found, refuse),
    isMember(tx, found.workspace_id, caller.user_id),
  ])
  if (isAlreadyMember) throw refuse.already_exists('You are already a member of the Workspace.')
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

/** Checks before a replay that the caller is still a member of the team that they joined. Throws forbidden. */
export async function checkJoinedTeam(
  { workspace_id }: FoundInvitation,
  { caller, tx, refuse }: AcceptContext,
): Promise<void> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  if (!(await isMember(tx, workspace_id, caller.user_id)))
    throw refuse.forbidden('You are not a member of the Workspace.')
}

/** Declines the invitation. Throws not_found, gone, state_conflict. */
export async function declineTeamInvitation(
  found: FoundInvitation,
  { caller, tx, now, refuse }: MutationContext<typeof declineInvitation>,
): Promise<MutationOutcome<typeof declineInvitation>> {
  const { invitation, workspace } = await openTeamInvitation(tx, caller, found, refuse)
  const declined = endInvitation(tx, invitation, 'declined', null, now)
  return {
    result: { data: presentInvitation(declined) },
    workspace_id: workspace.id,
    resource: invitationResource(declined),
    changed: ['status'],
    events: [invitationEvent('team_invitation.declined', declined)],
  }
}
