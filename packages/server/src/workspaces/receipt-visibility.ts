import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { apiKeyById } from './api-keys/api-key-store.ts'
import { invitationById } from './team-invitations/team-invitation-store.ts'
import { wasEverMember } from './team/team-store.ts'

/**
 * Whether a caller can see the resource of a team that a receipt names. The scope of the operation has been checked before.
 * Whoever accepted an invitation can see it, too.
 */
export const teamVisibility: Pick<
  VisibilityChecks,
  'workspace' | 'membership' | 'api_key' | 'team_invitation'
> = {
  workspace: async (id, { standing }) => id === standing.workspace_id,
  membership: (id, { standing, tx }) => wasEverMember(tx, standing.workspace_id, id),
  api_key: async (id, { standing, tx }) => (await apiKeyById(tx, standing.workspace_id, id)) !== undefined,
  async team_invitation(id, { caller, standing, tx }) {
    const invitation = await invitationById(tx, standing.workspace_id, id)
    if (!invitation) return false
    return standing.permissions.has('team:manage') || invitation.accepted_by === caller.user_id
  },
}
