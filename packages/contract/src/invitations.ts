import { Type as T } from 'typebox'
import { mutation, query } from './operation.ts'
import { listOf, pageLimit } from './paging.ts'
import { Participant } from './participants.ts'
import { operationReceipt } from './receipts.ts'
import { Room } from './rooms.ts'
import { component, dateTime, emailAddress, nullable, oneOf, open, openSet, uuid } from './schema.ts'
import { accessLevels } from './scopes.ts'
import { Membership, Workspace, WorkspaceAccess } from './workspaces.ts'

export const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const

/** The roles that an invitation can give. Ownership is handed over by other means. */
export const invitedRoles = ['admin', 'member', 'viewer'] as const

const TeamInvitation = component(
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

/** Its secret is in the mail alone. A text that is no token is answered as one that nobody holds. */
const InvitationToken = T.String({
  maxLength: 200,
  description: 'The token of the link in the mail, what follows #token= there.',
  examples: ['svi_Wm9lJ3MgaW52aXRhdGlvbiwgYXMgYW4gZXhhbXBsZQx'],
})

const common = { tag: 'Team' } as const
const managing = { ...common, audience: 'workspace', scope: 'team:manage' } as const

export const listTeamInvitations = query('list_team_invitations', {
  ...managing,
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
  ...managing,
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
  ...managing,
  http: 'GET /v1/team/invitations/{invitation_id}',
  summary: 'Read an invitation into the team of a Workspace.',
  input: { invitation_id },
  output: { data: TeamInvitation },
  problems: ['not_found'],
  tagged: 'r',
})

export const resendTeamInvitation = mutation('resend_team_invitation', {
  ...managing,
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
  ...managing,
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

export const inspectInvitation = query('inspect_invitation', {
  ...common,
  http: 'POST /v1/invitations/inspect',
  summary: 'Say what an invitation is for, without using it.',
  description: 'One into a team has a role, one into a Room the title of the Room and an access_level.',
  audience: 'public',
  input: { token: InvitationToken },
  output: {
    data: open({
      kind: openSet(['team', 'room']),
      workspace_name: T.String(),
      inviter_name: nullable(T.String()),
      masked_email: T.String({ description: 'Whom it is for, enough to recognize a mailbox of one’s own.' }),
      role: T.Optional(openSet(invitedRoles)),
      room_title: T.Optional(T.String()),
      access_level: T.Optional(openSet(accessLevels)),
      status: openSet(invitationStatuses),
      expires_at: dateTime(),
    }),
  },
  problems: ['not_found'],
})

const answering = { ...common, audience: 'signed_in', input: { token: InvitationToken } } as const

export const acceptInvitation = mutation('accept_invitation', {
  ...answering,
  http: 'POST /v1/invitations/accept',
  summary: 'Accept an invitation, and join.',
  description:
    'For the person alone whose access token has the invited address, verified by its issuer. An invitation can be accepted once. Into a team it makes a membership (data, membership, workspace, access); into a Room a participant (participant, room), and no membership.',
  // Also for those who belong to the Workspace by a Room alone: its answer is told again to whom it made one of them.
  guests: true,
  output: {
    data: T.Optional(TeamInvitation),
    membership: T.Optional(Membership),
    workspace: T.Optional(Workspace),
    access: T.Optional(WorkspaceAccess),
    participant: T.Optional(Participant),
    room: T.Optional(Room),
  },
  status: 200,
  receipt: operationReceipt,
  emits: ['team_invitation.accepted', 'member.joined', 'participant.joined'],
  problems: ['not_found', 'forbidden', 'gone', 'state_conflict', 'already_exists'],
})

export const declineInvitation = mutation('decline_invitation', {
  ...answering,
  http: 'POST /v1/invitations/decline',
  summary: 'Decline an invitation.',
  description: 'For the person alone whose access token has the invited address, verified by its issuer.',
  output: { data: T.Optional(TeamInvitation), participant: T.Optional(Participant) },
  status: 200,
  receipt: operationReceipt,
  emits: ['team_invitation.declined', 'participant.declined'],
  problems: ['not_found', 'forbidden', 'gone', 'state_conflict'],
})
