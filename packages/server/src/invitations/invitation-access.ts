import type { SignedInCaller } from '../call/authority/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { emailKey } from '../identity/email-address.ts'
import { digestOfToken, kindOfToken } from '../identity/invitation-token.ts'
import { roomInvitationByToken, type RoomInvitation } from '../rooms/invitations/room-invitation-store.ts'
import { noInvitationWithToken } from '../workspaces/team-invitations/team-invitation-access.ts'
import {
  invitationByToken,
  type InvitationByToken,
} from '../workspaces/team-invitations/team-invitation-store.ts'

/** An invitation of either kind, with the digest of the token by which it was found. */
export type FoundInvitation = { digest: Buffer } & (
  | ({ kind: 'team' } & InvitationByToken)
  | ({ kind: 'room' } & RoomInvitation)
)

/** The invitation with a token, whatever its status. */
async function invitationOfToken(reader: Reader, token: string): Promise<FoundInvitation | undefined> {
  const kind = kindOfToken(token)
  const digest = kind && digestOfToken(token, kind)
  if (!digest) return undefined
  if (kind === 'room') {
    const found = await roomInvitationByToken(reader, digest)
    return found && { kind, digest, ...found }
  }
  const found = await invitationByToken(reader, digest)
  return found && { kind, digest, ...found }
}

/** Sends the first statement of a change that answers an invitation early. */
export const prefetchInvitation = ({ token }: { token: string }, { tx }: { tx: Transaction }) =>
  invitationOfToken(tx, token)

/** The invitation with a token. Throws not_found. */
export async function requireInvitation(
  reader: Reader,
  token: string,
  refuse: Refuse<'not_found'>,
): Promise<FoundInvitation> {
  const found = await invitationOfToken(reader, token)
  if (!found) throw refuse.not_found(noInvitationWithToken)
  return found
}

/** The invitation with a token, for the person who got it. Throws not_found, forbidden. */
export async function requireOwnInvitation(
  reader: Reader,
  caller: SignedInCaller,
  token: string,
  refuse: Refuse<'not_found' | 'forbidden'>,
): Promise<FoundInvitation> {
  const found = await requireInvitation(reader, token, refuse)
  if (caller.email === null || !caller.email_verified)
    throw refuse.forbidden('Your access token must have an email address that its issuer has verified.')
  if (emailKey(caller.email) !== found.email_key)
    throw refuse.forbidden('The invitation is for a different email address than that of your access token.')
  return found
}
