import { resendTeamInvitation } from '@wbs/contract/workspaces/team-invitations'
import { implement } from '../../call/implement.ts'
import type { Standing } from '../../call/authority/standing.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { checkInvitationVisible, requirePending } from './team-invitation-access.ts'
import { renewInvitation } from './team-invitation-change-store.ts'
import { lockInvitation } from './team-invitation-store.ts'
import { invitationExpiry, type InvitationTokens } from '../../identity/invitation-token.ts'
import {
  invitationEvent,
  invitationResource,
  invitationMailJob,
  presentInvitation,
} from './team-invitation-view.ts'

export const handleResendTeamInvitation = (tokens: InvitationTokens) =>
  implement(
    resendTeamInvitation,
    async function resendTeamInvitation({ invitation_id }, { standing, tx, now, refuse }) {
      const [locked, at] = await lockAndReadTime(tx, standing, invitation_id)
      const pending = requirePending(locked, standing, refuse)
      const token_digest = tokens.digestOf(invitation_id, pending.token_number + 1)
      const details = { ...pending, token_digest, expires_at: invitationExpiry(at) }
      const invitation = renewInvitation(tx, pending, details, now)
      return {
        result: { data: presentInvitation(invitation) },
        revision: invitation.revision,
        resource: invitationResource(invitation),
        changed: ['expires_at'],
        events: [invitationEvent('team_invitation.resent', invitation)],
        jobs: [invitationMailJob(invitation)],
      }
    },
    {
      locks: 'team',
      prefetch: ({ invitation_id }, { standing, tx }) => lockAndReadTime(tx, standing, invitation_id),
      visible: checkInvitationVisible,
    },
  )

/** The locked invitation and the time of the database's clock. */
const lockAndReadTime = (tx: Transaction, { workspace_id }: Standing, invitation_id: string) =>
  Promise.all([lockInvitation(tx, workspace_id, invitation_id), databaseTime(tx)])
