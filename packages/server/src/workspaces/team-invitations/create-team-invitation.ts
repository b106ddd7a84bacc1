import { randomUUIDv7 } from 'node:crypto'
import { createTeamInvitation } from '@wbs/contract/workspaces/team-invitations'
import { implement, type MutationContext } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { emailKey, spellingsOf } from '../../identity/email-address.ts'
import { invitationExpiry, type InvitationTokens } from '../../identity/invitation-token.ts'
import { requireToGrant } from './invitation-access.ts'
import {
  factsForNewInvitation,
  endInvitation,
  insertInvitation,
  isMemberByEmail,
  lockOpenInvitation,
  renewInvitation,
  type InvitationRow,
} from './invitation-store.ts'
import { senderOf } from '../team/sender-store.ts'
import { invitationEvent, invitationResource, mailInvitation, presentInvitation } from './invitation-view.ts'

const mostPending = 500

type Context = MutationContext<typeof createTeamInvitation>

export const handleCreateTeamInvitation = (tokens: InvitationTokens) =>
  implement(
    createTeamInvitation,
    async function createTeamInvitation({ email, role }, context) {
      const { caller, standing, tx, now, refuse } = context
      const email_key = requireKey(email, context)
      requireToGrant(standing, role, refuse)
      const { isMember, open, pending, inviter_name, at } = await lookUp(email_key, context)
      if (isMember) throw refuse.already_exists('This address belongs to an active member.')
      // One that its sender could not send any more is over, and makes way.
      const earlier = open?.status === 'revoked' ? undefined : open
      if (earlier) requireToGrant(standing, earlier.role, refuse)
      if (earlier?.status !== 'pending' && pending >= mostPending)
        throw refuse.limit_reached(`A Workspace can have at most ${mostPending} pending invitations.`)
      if (open && !earlier) endInvitation(tx, open, 'revoked', null, now)
      const { invited_by: inviter_id, sent_with } = senderOf(caller)
      const sent = { email, role, inviter_id, inviter_name, sent_with, expires_at: invitationExpiry(at) }
      const invitation = earlier ? inviteAgain(earlier) : invite(standing.workspace_id)
      return {
        result: { data: presentInvitation(invitation) },
        revision: invitation.revision,
        found: earlier !== undefined,
        resource: invitationResource(invitation),
        changed: earlier ? ['email', 'role', 'invited_by', 'expires_at'] : [],
        events: [invitationEvent(earlier ? 'team_invitation.resent' : 'team_invitation.created', invitation)],
        jobs: [mailInvitation(invitation)],
      }

      function invite(workspace_id: string) {
        const invitation_id = randomUUIDv7()
        const token_digest = tokens.digestOf(invitation_id, 1)
        return insertInvitation(tx, { ...sent, workspace_id, invitation_id, email_key, token_digest }, now)
      }
      /** An address has one open invitation at most: whoever invites it again sends that one again, as it should be now. */
      function inviteAgain(open: InvitationRow) {
        const token_digest = tokens.digestOf(open.invitation_id, open.token_number + 1)
        return renewInvitation(tx, open, { ...sent, token_digest }, now)
      }
    },
    {
      locks: 'team',
      prefetch: async ({ email }, context) => {
        const email_key = emailKey(email)
        if (email_key !== null) await lookUp(email_key, context)
      },
    },
  )

function requireKey(email: string, { refuse }: Context): string {
  const key = emailKey(email)
  if (key !== null) return key
  const detail = 'email must end with a domain name.'
  throw refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: '/email', code: 'format', detail }],
  })
}

/** Who has the address, its open invitation locked, and the facts and the time that a new invitation needs. */
async function lookUp(
  email_key: string,
  { caller, standing: { workspace_id }, tx }: Pick<Context, 'caller' | 'standing' | 'tx'>,
) {
  const [isMember, open, facts, at] = await Promise.all([
    isMemberByEmail(tx, workspace_id, spellingsOf(email_key)),
    lockOpenInvitation(tx, workspace_id, email_key),
    factsForNewInvitation(tx, workspace_id, caller.user_id),
    databaseTime(tx),
  ])
  return { isMember, open, ...facts, at }
}
