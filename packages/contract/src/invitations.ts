import { Type as T } from 'typebox'
import { mutation, query } from './operation.ts'
import { dateTime, nullable, open, openSet } from './schema.ts'
import { accessLevels } from './scopes.ts'
import { invitationStatuses, invitedRoles, TeamInvitation } from './workspaces/team-invitations.ts'
import { Membership, Workspace, WorkspaceAccess } from './workspaces/workspaces.ts'
import { Participant } from './rooms/participants.ts'
import { Room } from './rooms/rooms.ts'
import { operationReceipt } from './receipts.ts'

/** Its secret is in the mail alone. A text that is no token is answered as one that nobody holds. */
const InvitationToken = T.String({
  maxLength: 200,
  description: 'The token of the link in the mail, what follows #token= there.',
  examples: ['svi_Wm9lJ3MgaW52aXRhdGlvbiwgYXMgYW4gZXhhbXBsZQx'],
})

const common = { tag: 'Team' } as const

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
