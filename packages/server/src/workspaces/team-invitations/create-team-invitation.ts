import { randomUUIDv7 } from 'node:crypto'
import { createTeamInvitation } from '@wbs/contract/workspaces/team-invitations'
import { implement, type MutationContext } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { emailKey, spellingsOf } from '../../identity/email-address.ts'
import { invitationExpiry, type InvitationTokens } from '../../identity/invitation-token.ts'
import { requireGrantableRole } from './team-invitation-access.ts'
import { endInvitation, insertInvitation, renewInvitation } from './team-invitation-change-store.ts'
import { lockOpenInvitation, readForNewInvitation, type InvitationRow } from './team-invitation-store.ts'
import { isMemberByEmail } from '../team/team-store.ts'
import { senderOf } from './invitation-sender-store.ts'
import {
  invitationEvent,
  invitationResource,
  invitationMailJob,
  presentInvitation,
} from './team-invitation-view.ts'

const mostPending = 500

type Context = MutationContext<typeof createTeamInvitation>

export const handleCreateTeamInvitation = (tokens: InvitationTokens) =>
  implement(
    createTeamInvitation,
    async function createTeamInvitation({ email, role }, context) {
      const { caller, standing, tx, now, refuse } = context
      const email_key = requireEmailKey(email, context)
      requireGrantableRole(standing, role, refuse)
      const { isMember, open, pending, inviter_name, at } = await lockAndReadForInvitation(email_key, context)
      if (isMember) throw refuse.already_exists('This address belongs to an active member.')
      // An open invitation that its sender could not send now counts as revoked, and a new one replaces it.
      const earlier = open?.status === 'revoked' ? undefined : open
      if (earlier) requireGrantableRole(standing, earlier.role, refuse)
      if (earlier?.status !== 'pending' && pending >= mostPending)
        throw refuse.limit_reached(`A Workspace can have at most ${mostPending} pending invitations.`)
      if (open && !earlier) endInvitation(tx, open, 'revoked', null, now)
      const { invited_by: inviter_id, sent_with } = senderOf(caller)
      const details = { email, role, inviter_id, inviter_name, sent_with, expires_at: invitationExpiry(at) }
      const invitation = earlier ? inviteAgain(earlier) : invite(standing.workspace_id)
      return {
        result: { data: presentInvitation(invitation) },
        revision: invitation.revision,
        found: earlier !== undefined,
        resource: invitationResource(invitation),
        changed: earlier ? ['email', 'role', 'invited_by', 'expires_at'] : [],
        events: [invitationEvent(earlier ? 'team_invitation.resent' : 'team_invitation.created', invitation)],
        jobs: [invitationMailJob(invitation)],
      }

      function invite(workspace_id: string) {
        const invitation_id = randomUUIDv7()
        const token_digest = tokens.digestOf(invitation_id, 1)
        return insertInvitation(tx, { ...details, workspace_id, invitation_id, email_key, token_digest }, now)
      }
      /** An address has at most one open invitation: inviting it again updates that one and sends it again. */
      function inviteAgain(open: InvitationRow) {
        const token_digest = tokens.digestOf(open.invitation_id, open.token_number + 1)
        return renewInvitation(tx, open, { ...details, token_digest }, now)
      }
    },
    {
      locks: 'team',
      prefetch: async ({ email }, context) => {
        const email_key = emailKey(email)
        if (email_key !== null) await lockAndReadForInvitation(email_key, context)
      },
    },
  )

function requireEmailKey(email: string, { refuse }: Context): string {
  const key = emailKey(email)
  if (key !== null) return key
  const detail = 'email must end with a domain name.'
  throw refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: '/email', code: 'format', detail }],
  })
}

/** Whether the address belongs to a member, its open invitation (locked), and what else a new invitation needs. */
async function lockAndReadForInvitation(
  email_key: string,
  { caller, standing: { workspace_id }, tx }: Pick<Context, 'caller' | 'standing' | 'tx'>,
) {
  const [isMember, open, facts, at] = await Promise.all([
    isMemberByEmail(tx, workspace_id, spellingsOf(email_key)),
    lockOpenInvitation(tx, workspace_id, email_key),
    readForNewInvitation(tx, workspace_id, caller.user_id),
    databaseTime(tx),
  ])
  return { isMember, open, ...facts, at }
}
