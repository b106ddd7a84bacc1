import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import {
  component,
  dateTime,
  emailAddress,
  nullable,
  oneOf,
  open,
  openSet,
  uuid,
  uuidCursor,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'

export const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const

export const teamInvitationMachine = stateMachine(invitationStatuses, 'pending', {
  resend: { pending: 'pending' },
  accept: { pending: 'accepted' },
  decline: { pending: 'declined' },
  revoke: { pending: 'revoked' },
  expire: { pending: 'expired' },
})

/** The roles that an invitation can grant. Ownership is transferred by transfer_ownership. */
export const invitedRoles = ['admin', 'member', 'viewer'] as const

export const TeamInvitation = component(
  'TeamInvitation',
  open({
    invitation_id: uuid(),
    workspace_id: uuid(),
    email: T.String({ description: 'The address as it was entered.' }),
    role: openSet(invitedRoles),
    status: openSet(invitationStatuses),
    invited_by: open({ user_id: uuid(), name: nullable(T.String()) }),
    expires_at: dateTime('When the invitation expires if it is still pending.'),
    created_at: dateTime(),
    updated_at: dateTime(),
    revision: T.Integer(),
  }),
)

const invitation_id = uuid('The ID of the invitation.')

const common = { tag: 'Team', audience: 'workspace', scope: 'team:manage' } as const

/** The types of its events, and the feed that shows each. */
export const teamInvitationEvents = {
  'team_invitation.created': audit,
  'team_invitation.resent': audit,
  'team_invitation.revoked': audit,
  'team_invitation.accepted': audit,
  'team_invitation.declined': audit,
} as const

export const listTeamInvitations = query('list_team_invitations', {
  ...common,
  http: 'GET /v1/team/invitations',
  summary: 'List the team invitations of a Workspace.',
  input: {
    status: T.Optional(oneOf(invitationStatuses, 'Only invitations with this status.')),
    cursor: T.Optional(uuidCursor()),
    limit: T.Optional(pageLimit),
  },
  output: listOf(TeamInvitation),
  problems: [],
})

export const createTeamInvitation = mutation('create_team_invitation', {
  ...common,
  http: 'POST /v1/team/invitations',
  summary: 'Invite a person to the team of a Workspace.',
  description:
    'The service mails a link to the address. Only the owner of this address can accept the invitation, within 14 days. If the address already has a pending invitation, it gets the role that you send and a new link; the previous link stops working. A Workspace has at most 500 pending invitations.\n\nYou cannot invite a person to a role that has permissions which you lack.',
  input: {
    email: emailAddress('The address to invite.'),
    role: T.Unsafe<(typeof invitedRoles)[number]>({
      ...oneOf(invitedRoles, 'The role that the person gets.'),
      examples: ['member'],
    }),
  },
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
  summary: 'Retrieve a team invitation.',
  input: { invitation_id },
  output: { data: TeamInvitation },
  problems: ['not_found'],
  tagged: 'r',
})

export const resendTeamInvitation = mutation('resend_team_invitation', {
  ...common,
  http: 'POST /v1/team/invitations/{invitation_id}/resend',
  summary: 'Resend a pending team invitation with a new link.',
  description: 'The previous link stops working, and the 14 days start again.',
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
  summary: 'Revoke a pending team invitation.',
  input: { invitation_id },
  output: { data: TeamInvitation },
  status: 200,
  receipt: operationReceipt,
  emits: ['team_invitation.revoked'],
  problems: ['not_found', 'forbidden', 'state_conflict'],
  tagged: 'r',
})
