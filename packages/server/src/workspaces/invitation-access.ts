import type { SignedInCaller } from '../call/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { Standing } from '../call/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import { emailKey } from '../identity/email-address.ts'
import { lackingToGrant } from './granting.ts'
import {
  invitationById,
  invitationByToken,
  lockInvitationOfToken,
  lockTeam,
  type InvitationByToken,
  type InvitationRow,
  type InvitedRole,
} from './invitation-store.ts'
import { digestOfToken } from '../identity/invitation-token.ts'
import { lockSender } from './sender-store.ts'
import type { WorkspaceRow } from './workspace-store.ts'

export const noSuchToken =
  'No invitation has this token. It may have been sent again since, with another one.'

export type FoundInvitation = InvitationByToken & { digest: Buffer }

/** The invitation of a token, whatever has become of it. */
export async function invitationOfToken(reader: Reader, token: string): Promise<FoundInvitation | undefined> {
  const digest = digestOfToken(token, 'team')
  const found = digest && (await invitationByToken(reader, digest))
  return found ? { ...found, digest } : undefined
}

/** The same. Throws not_found. */
export async function requireToken(
  reader: Reader,
  token: string,
  refuse: Refuse<'not_found'>,
): Promise<FoundInvitation> {
  const found = await invitationOfToken(reader, token)
  if (!found) throw refuse.not_found(noSuchToken)
  return found
}

/** The same for whom it is meant: whose issuer says that the invited address is theirs. Throws not_found, forbidden. */
export async function requireInvited(
  tx: Transaction,
  caller: SignedInCaller,
  token: string,
  refuse: Refuse<'not_found' | 'forbidden'>,
): Promise<FoundInvitation> {
  const found = await requireToken(tx, token, refuse)
  requireAddressee(caller, found.email_key, refuse)
  return found
}

/** Throws forbidden unless the caller's issuer says that an address is theirs. */
export function requireAddressee(
  caller: SignedInCaller,
  email_key: string,
  refuse: Refuse<'forbidden'>,
): void {
  if (caller.email === null || !caller.email_verified)
    throw refuse.forbidden('The access token does not say that the caller has a verified email address.')
  if (emailKey(caller.email) !== email_key)
    throw refuse.forbidden('The invitation is for another email address than the one of the access token.')
}

/**
 * Moves the transaction into the Workspace of an invitation that its invited person may answer now, and locks both.
 * Throws not_found where it was declined or revoked, or its sender could not send it now; gone where it has expired; and
 * state_conflict where it was accepted or the Workspace takes no changes. All is sent at once: what is sent next looks
 * behind the locks.
 */
export async function openForAnswer(
  tx: Transaction,
  caller: SignedInCaller,
  { workspace_id, id, digest }: FoundInvitation,
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
    throw refuse.state_conflict(`The Workspace is ${workspace.status}, and nobody can join it.`, {
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
  if (status === 'expired')
    throw refuse.gone('The invitation has expired. Whoever sent it can send another one.')
  if (status === 'accepted')
    throw refuse.state_conflict('The invitation was accepted before.', { current_status: 'accepted' })
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
    throw refuse.state_conflict('Only an invitation that is pending can be sent again or revoked.', {
      current_status: invitation.status,
    })
  return invitation
}

export const noSuchInvitation = 'There is no such invitation.'

/** Throws forbidden, naming the permission, where the role may do what the caller may not. */
export function requireToGrant(standing: Standing, role: InvitedRole, refuse: Refuse<'forbidden'>): void {
  const lacking = lackingToGrant(standing.permissions, { role, permissions: {} })
  if (lacking)
    throw refuse.forbidden(`A ${role} may do what the caller may not: ${lacking}.`, {
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
