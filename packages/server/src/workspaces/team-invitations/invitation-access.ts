import type { SignedInCaller } from '../../call/authority/caller.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { lackingToGrant } from '../team/granting.ts'
import {
  invitationById,
  lockInvitationOfToken,
  lockTeam,
  type InvitationByToken,
  type InvitationRow,
  type InvitedRole,
} from './invitation-store.ts'
import { lockSender } from '../team/sender-store.ts'
import type { WorkspaceRow } from '../workspace-store.ts'

export const noSuchToken =
  'No invitation has this token. If the invitation was sent again, use the link in the latest mail.'

/**
 * Moves the transaction into the Workspace of an invitation that its invited person may answer now, and locks both.
 * Throws not_found where it was declined or revoked, or its sender could not send it now; gone where it has expired; and
 * state_conflict where it was accepted or the Workspace takes no changes. All is sent at once: what is sent next looks
 * behind the locks.
 */
export async function openForAnswer(
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
  if (!workspace || !invitation) throw refuse.not_found(noSuchToken)
  requireUnanswered(invitation.status, refuse)
  if (workspace.status !== 'active')
    throw refuse.state_conflict(`The Workspace is ${workspace.status}, so nobody can join it.`, {
      current_status: workspace.status,
    })
  return { invitation, workspace }
}

/** Throws not_found where an invitation was revoked or declined, gone where it has expired, state_conflict where it was accepted. */
export function requireUnanswered(
  status: InvitationRow['status'],
  refuse: Refuse<'not_found' | 'gone' | 'state_conflict'>,
): void {
  if (status === 'revoked' || status === 'declined') throw refuse.not_found(noSuchToken)
  if (status === 'expired') throw refuse.gone('The invitation has expired. Ask the sender for a new one.')
  if (status === 'accepted')
    throw refuse.state_conflict('The invitation is already accepted.', { current_status: 'accepted' })
}

/**
 * That an invitation which was looked for is there and pending, and that the caller might have sent it. Throws not_found,
 * forbidden, state_conflict.
 */
export function requirePending(
  invitation: InvitationRow | undefined,
  standing: Standing,
  refuse: Refuse<'not_found' | 'forbidden' | 'state_conflict'>,
): InvitationRow {
  if (!invitation) throw refuse.not_found(noSuchInvitation)
  requireToGrant(standing, invitation.role, refuse)
  if (invitation.status !== 'pending')
    throw refuse.state_conflict('Only a pending invitation can be sent again or revoked.', {
      current_status: invitation.status,
    })
  return invitation
}

export const noSuchInvitation = 'There is no such invitation.'

/** Throws forbidden, naming the permission, where the role may do what the caller may not. */
export function requireToGrant(standing: Standing, role: InvitedRole, refuse: Refuse<'forbidden'>): void {
  const lacking = lackingToGrant(standing.permissions, { role, permissions: {} })
  if (lacking)
    throw refuse.forbidden(`The role ${role} has a permission that you lack: ${lacking}.`, {
      required_permission: lacking,
    })
}

/** Throws not_found where the Workspace has no such invitation. */
export async function requireInvitation(
  { invitation_id }: { invitation_id: string },
  { standing, tx, refuse }: { standing: Standing; tx: Transaction; refuse: Refuse<'not_found'> },
): Promise<void> {
  if (!(await invitationById(tx, standing.workspace_id, invitation_id)))
    throw refuse.not_found(noSuchInvitation)
}
