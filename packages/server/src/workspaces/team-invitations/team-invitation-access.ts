import type { SignedInCaller } from '../../call/authority/caller.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { missingToGrant } from '../team/grant-rules.ts'
import {
  invitationById,
  lockInvitationOfToken,
  type InvitationByToken,
  type InvitationRow,
  type InvitedRole,
} from './team-invitation-store.ts'
import { lockSender } from './invitation-sender-store.ts'
import { lockTeam } from '../team/team-store.ts'
import type { WorkspaceRow } from '../workspace-store.ts'

export const noInvitationWithToken =
  'No invitation has this token. If the invitation was sent again, use the link in the latest mail.'

/**
 * Locks an invitation and its team for the answer of the invitee, and moves the transaction into the Workspace. Throws
 * not_found if the invitation was declined or revoked, or its sender could not send it now; gone if it has expired;
 * state_conflict if it was accepted or the Workspace cannot be changed. All statements are sent in one round trip, so what the
 * caller sends in the same one runs under the locks.
 */
export async function openTeamInvitation(
  tx: Transaction,
  caller: SignedInCaller,
  { workspace_id, id, digest }: InvitationByToken & { digest: Buffer },
  refuse: Refuse<'not_found' | 'gone' | 'state_conflict'>,
): Promise<{ invitation: InvitationRow; workspace: WorkspaceRow }> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  const [workspace, , invitation] = await Promise.all([
    lockTeam(tx, workspace_id),
    lockSender(tx, workspace_id, digest),
    lockInvitationOfToken(tx, workspace_id, id, digest),
  ])
  if (!workspace || !invitation) throw refuse.not_found(noInvitationWithToken)
  requireUnanswered(invitation.status, refuse)
  if (workspace.status !== 'active')
    throw refuse.state_conflict(`The Workspace is ${workspace.status}, so nobody can join it.`, {
      current_status: workspace.status,
    })
  return { invitation, workspace }
}

/** Throws not_found if the invitation was revoked or declined, gone if it has expired, state_conflict if it was accepted. */
export function requireUnanswered(
  status: InvitationRow['status'],
  refuse: Refuse<'not_found' | 'gone' | 'state_conflict'>,
): void {
  if (status === 'revoked' || status === 'declined') throw refuse.not_found(noInvitationWithToken)
  if (status === 'expired') throw refuse.gone('The invitation has expired. Ask the sender for a new one.')
  if (status === 'accepted')
    throw refuse.state_conflict('The invitation is already accepted.', { current_status: 'accepted' })
}

/**
 * Checks that an invitation exists and is pending, and that the caller could send it. Throws not_found, forbidden,
 * state_conflict.
 */
export function requirePending(
  invitation: InvitationRow | undefined,
  standing: Standing,
  refuse: Refuse<'not_found' | 'forbidden' | 'state_conflict'>,
): InvitationRow {
  if (!invitation) throw refuse.not_found(noSuchInvitation)
  requireGrantableRole(standing, invitation.role, refuse)
  if (invitation.status !== 'pending')
    throw refuse.state_conflict('Only a pending invitation can be sent again or revoked.', {
      current_status: invitation.status,
    })
  return invitation
}

export const noSuchInvitation = 'There is no such invitation.'

/** Throws forbidden if the role has a permission that the caller lacks. The error names the permission. */
export function requireGrantableRole(
  standing: Standing,
  role: InvitedRole,
  refuse: Refuse<'forbidden'>,
): void {
  const lacking = missingToGrant(standing.permissions, { role, permissions: {} })
  if (lacking)
    throw refuse.forbidden(`The role ${role} has a permission that you lack: ${lacking}.`, {
      required_permission: lacking,
    })
}

/** Checks before a replay that the Workspace has the invitation of the path. Throws not_found. */
export async function checkInvitationVisible(
  { invitation_id }: { invitation_id: string },
  { standing, tx, refuse }: { standing: Standing; tx: Transaction; refuse: Refuse<'not_found'> },
): Promise<void> {
  if (!(await invitationById(tx, standing.workspace_id, invitation_id)))
    throw refuse.not_found(noSuchInvitation)
}
