import { randomUUIDv7 } from 'node:crypto'
import { createTeamInvitation } from '@wbs/contract/invitations'
import { implement, type MutationContext } from '../call/implement.ts'
import { emailKey, spellingsOf } from '../identity/email-address.ts'
import { requireToGrant } from './invitation-access.ts'
import {
  countPendingInvitations,
  endInvitation,
  insertInvitation,
  isMemberByEmail,
  lockOpenInvitation,
  renewInvitation,
  type InvitationRow,
  type InvitedRole,
} from './invitation-store.ts'
import { senderOf } from './sender-store.ts'
import type { InvitationTokens } from '../identity/invitation-token.ts'
import { invitationEvent, invitationResource, mailInvitation, presentInvitation } from './invitation-view.ts'

const mostPending = 500

type Context = MutationContext<typeof createTeamInvitation>

export const handleCreateTeamInvitation = (tokens: InvitationTokens) =>
  implement(
    createTeamInvitation,
    async ({ email, role }, context) => {
      const { standing, tx, refuse } = context
      const email_key = requireKey(email, context)
      requireToGrant(standing, role, refuse)
      if (await isMemberByEmail(tx, standing.workspace_id, spellingsOf(email_key)))
        throw refuse.already_exists('This address is that of an active member.')
      const earlier = await openInvitation(email_key, context)
      if (earlier) requireToGrant(standing, earlier.role, refuse)
      if (earlier?.status !== 'pending') await requireRoom(context)
      const invitation = earlier
        ? await inviteAgain(tokens, earlier, { email, role }, context)
        : await invite(tokens, { email, email_key, role }, context)
      return {
        result: { data: presentInvitation(invitation) },
        revision: invitation.revision,
        found: earlier !== undefined,
        resource: invitationResource(invitation),
        changed: earlier ? ['email', 'role', 'invited_by', 'expires_at'] : [],
        events: [invitationEvent(earlier ? 'team_invitation.resent' : 'team_invitation.created', invitation)],
        jobs: [mailInvitation(invitation)],
      }
    },
    { locks: 'team' },
  )

function requireKey(email: string, { refuse }: Context): string {
  const key = emailKey(email)
  if (key !== null) return key
  const detail = 'email must end with a domain name.'
  throw refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: '/email', code: 'format', detail }],
  })
}

async function requireRoom({ tx, standing, refuse }: Context): Promise<void> {
  if ((await countPendingInvitations(tx, standing.workspace_id)) >= mostPending)
    throw refuse.limit_reached(`At most ${mostPending} invitations of a Workspace may be pending.`)
}

/** The invitation that an address has. One that its sender could not send any more is over, and makes way. */
async function openInvitation(
  email_key: string,
  { tx, standing, now }: Context,
): Promise<InvitationRow | undefined> {
  const earlier = await lockOpenInvitation(tx, standing.workspace_id, email_key)
  if (earlier?.status !== 'revoked') return earlier
  await endInvitation(tx, earlier, 'revoked', null, now)
  return undefined
}

function invite(
  tokens: InvitationTokens,
  to: { email: string; email_key: string; role: InvitedRole },
  { caller, standing, tx, now }: Context,
): Promise<InvitationRow> {
  const invitation_id = randomUUIDv7()
  const { workspace_id } = standing
  const token_digest = tokens.digestOf(invitation_id, 1)
  return insertInvitation(tx, { workspace_id, invitation_id, ...to, token_digest, ...senderOf(caller) }, now)
}

/** An address has one open invitation at most: whoever invites it again sends that one again, as it should be now. */
function inviteAgain(
  tokens: InvitationTokens,
  earlier: InvitationRow,
  to: { email: string; role: InvitedRole },
  { caller, tx, now }: Context,
): Promise<InvitationRow> {
  const token_digest = tokens.digestOf(earlier.invitation_id, earlier.token_number + 1)
  return renewInvitation(tx, earlier, { ...to, ...senderOf(caller), token_digest }, now)
}
