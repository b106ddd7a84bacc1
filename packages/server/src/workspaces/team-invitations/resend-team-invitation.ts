import { resendTeamInvitation } from '@wbs/contract/workspaces/team-invitations'
import { implement } from '../../call/implement.ts'
import type { Standing } from '../../call/authority/standing.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { requireInvitation, requirePending } from './invitation-access.ts'
import { lockInvitation, renewInvitation } from './invitation-store.ts'
import { invitationExpiry, type InvitationTokens } from '../../identity/invitation-token.ts'
import { invitationEvent, invitationResource, mailInvitation, presentInvitation } from './invitation-view.ts'

export const handleResendTeamInvitation = (tokens: InvitationTokens) =>
  implement(
    resendTeamInvitation,
    async function resendTeamInvitation({ invitation_id }, { standing, tx, now, refuse }) {
      const [locked, at] = await lockToSend(tx, standing, invitation_id)
      const pending = requirePending(locked, standing, refuse)
      const token_digest = tokens.digestOf(invitation_id, pending.token_number + 1)
      const sent = { ...pending, token_digest, expires_at: invitationExpiry(at) }
      const invitation = renewInvitation(tx, pending, sent, now)
      return {
        result: { data: presentInvitation(invitation) },
        revision: invitation.revision,
        resource: invitationResource(invitation),
        changed: ['expires_at'],
        events: [invitationEvent('team_invitation.resent', invitation)],
        jobs: [mailInvitation(invitation)],
      }
    },
    {
      locks: 'team',
      prefetch: ({ invitation_id }, { standing, tx }) => lockToSend(tx, standing, invitation_id),
      visible: requireInvitation,
    },
  )

/** An invitation that is to be sent again, locked, and what time it is for the database. */
const lockToSend = (tx: Transaction, { workspace_id }: Standing, invitation_id: string) =>
  Promise.all([lockInvitation(tx, workspace_id, invitation_id), databaseTime(tx)])
