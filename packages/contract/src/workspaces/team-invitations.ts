import { Type as T } from 'typebox'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { component, dateTime, emailAddress, nullable, oneOf, open, openSet, uuid } from '../schema.ts'

export const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const

/** The roles that an invitation can give. Ownership is handed over by other means. */
export const invitedRoles = ['admin', 'member', 'viewer'] as const

export const TeamInvitation = component(
  'TeamInvitation',
  open({
    invitation_id: uuid(),
    workspace_id: uuid(),
    email: T.String({ description: 'As it was given.' }),
    role: openSet(invitedRoles),
    status: openSet(invitationStatuses),
    invited_by: open({ user_id: uuid(), name: nullable(T.String()) }),
    expires_at: dateTime('A pending invitation is expired from then on.'),
    created_at: dateTime(),
    updated_at: dateTime(),
    revision: T.Integer(),
  }),
)

const invitation_id = uuid()

const common = { tag: 'Team', audience: 'workspace', scope: 'team:manage' } as const

/** The types of its events, each with the feed that shows it. */
export const teamInvitationEvents = {
  'team_invitation.created': 'audit',
  'team_invitation.resent': 'audit',
  'team_invitation.revoked': 'audit',
  'team_invitation.accepted': 'audit',
  'team_invitation.declined': 'audit',
} as const

export const listTeamInvitations = query('list_team_invitations', {
  ...common,
  http: 'GET /v1/team/invitations',
  summary: 'List the invitations into the team of a Workspace.',
  input: {
    status: T.Optional(oneOf(invitationStatuses)),
    cursor: T.Optional(uuid('The cursor of the page before.')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(TeamInvitation),
  problems: [],
})

export const createTeamInvitation = mutation('create_team_invitation', {
  ...common,
  http: 'POST /v1/team/invitations',
  summary: 'Invite somebody into the team of a Workspace, by mail.',
  description:
    'The invitation is for the address alone, and good for 14 days. An address that is invited already is sent a new link, with the role given now; its earlier link is dead. At most 500 invitations of a Workspace may be pending.\n\nNobody invites into a role that may do what they may not.',
  input: { email: emailAddress(), role: oneOf(invitedRoles) },
  output: { data: TeamInvitation },
  status: 201,
  status_if_found: 200,
  receipt: operationReceipt,
  limits: ['write', 'invite'],
  emits: ['team_invitation.created', 'team_invitation.resent'],
  problems: ['validation_error', 'forbidden', 'already_exists', 'limit_reached'],
  tagged: 'r',
})

export const getTeamInvitation = query('get_team_invitation', {
  ...common,
  http: 'GET /v1/team/invitations/{invitation_id}',
  summary: 'Read an invitation into the team of a Workspace.',
  input: { invitation_id },
  output: { data: TeamInvitation },
  problems: ['not_found'],
  tagged: 'r',
})

export const resendTeamInvitation = mutation('resend_team_invitation', {
  ...common,
  http: 'POST /v1/team/invitations/{invitation_id}/resend',
  summary: 'Send a pending invitation again, with a new link.',
  description: 'The link that was sent before is dead, and the 14 days begin anew.',
  input: { invitation_id },
  output: { data: TeamInvitation },
  status: 200,
  receipt: operationReceipt,
  limits: ['write', 'invite'],
  emits: ['team_invitation.resent'],
  problems: ['not_found', 'forbidden', 'state_conflict'],
  tagged: 'r',
})

export const revokeTeamInvitation = mutation('revoke_team_invitation', {
  ...common,
  http: 'POST /v1/team/invitations/{invitation_id}/revoke',
  summary: 'Revoke a pending invitation.',
  input: { invitation_id },
  output: { data: TeamInvitation },
  status: 200,
  receipt: operationReceipt,
  emits: ['team_invitation.revoked'],
  problems: ['not_found', 'forbidden', 'state_conflict'],
  tagged: 'r',
})
