import type { ApiKeyEnvironment } from '../identity/api-key-format.ts'
import type { InvitationTokens } from '../identity/invitation-token.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { handleCreateApiKey } from './api-keys/create-api-key.ts'
import { handleGetApiKey } from './api-keys/get-api-key.ts'
import { handleListApiKeys } from './api-keys/list-api-keys.ts'
import { handleRevokeApiKey } from './api-keys/revoke-api-key.ts'
import { handleRotateApiKey } from './api-keys/rotate-api-key.ts'
import { handleUpdateApiKey } from './api-keys/update-api-key.ts'
import { handleCloseWorkspace } from './close-workspace.ts'
import { handleGetCommand } from './commands/get-command.ts'
import { handleCreateWorkspace } from './create-workspace.ts'
import { handleGetWorkspace } from './get-workspace.ts'
import { handleListWorkspaces } from './list-workspaces.ts'
import { handleCreateTeamInvitation } from './team-invitations/create-team-invitation.ts'
import { handleGetTeamInvitation } from './team-invitations/get-team-invitation.ts'
import { handleListTeamInvitations } from './team-invitations/list-team-invitations.ts'
import { mailTeamInvitation } from './team-invitations/mail-team-invitation.ts'
import { handleResendTeamInvitation } from './team-invitations/resend-team-invitation.ts'
import { handleRevokeTeamInvitation } from './team-invitations/revoke-team-invitation.ts'
import { handleGetTeamMember } from './team/get-team-member.ts'
import { handleLeaveTeam } from './team/leave-team.ts'
import { handleListTeamMembers } from './team/list-team-members.ts'
import { handleRemoveMembership } from './team/remove-membership.ts'
import { handleTransferOwnership } from './team/transfer-ownership.ts'
import { handleUpdateMembership } from './team/update-membership.ts'
import { handleUpdateWorkspace } from './update-workspace.ts'

/** What the handlers of Workspaces need. */
export interface WorkspaceParts {
  /** The part of an API key that names the environment of the service. */
  keyEnvironment: ApiKeyEnvironment
  /** Creates the tokens of team invitations. */
  tokens: InvitationTokens
  /** The most bytes of content in a Workspace; null for any. */
  mostStorage: number | null
}

/** The handlers of this slice. Add a line for each new handler. */
export const workspaceHandlers = ({ keyEnvironment, tokens, mostStorage }: WorkspaceParts) => [
  handleCloseWorkspace,
  handleCreateWorkspace,
  handleGetWorkspace,
  handleListWorkspaces,
  handleUpdateWorkspace(mostStorage),
  handleCreateApiKey(keyEnvironment),
  handleGetApiKey,
  handleListApiKeys,
  handleRevokeApiKey,
  handleRotateApiKey,
  handleUpdateApiKey,
  handleGetCommand,
  handleCreateTeamInvitation(tokens),
  handleGetTeamInvitation,
  handleListTeamInvitations,
  handleResendTeamInvitation(tokens),
  handleRevokeTeamInvitation,
  handleGetTeamMember,
  handleLeaveTeam,
  handleListTeamMembers,
  handleRemoveMembership,
  handleTransferOwnership,
  handleUpdateMembership,
]

/** The job handlers of this slice. */
export const workspaceJobs = (parts: Parameters<typeof mailTeamInvitation>[0]) =>
  ({ mail_team_invitation: mailTeamInvitation(parts) }) satisfies Partial<JobHandlers>
