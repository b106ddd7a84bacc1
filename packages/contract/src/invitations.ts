import { T } from './json/type.ts'
import { mutation, query } from './operation.ts'
import { dateTime, nullable, open, openSet } from './schema.ts'
import { accessLevels } from './scopes.ts'
import { invitationStatuses, invitedRoles, TeamInvitation } from './workspaces/team-invitations.ts'
import { Membership, Workspace, WorkspaceAccess } from './workspaces/workspaces.ts'
import { Participant } from './rooms/participants.ts'
import { Room } from './rooms/rooms.ts'
import { operationReceipt } from './receipts.ts'

/** The token has no pattern: text of any other form is answered as an unknown token, so that nothing is revealed about its form. */
const InvitationToken = T.String({
  maxLength: 200,
  description: 'The token of the invitation: in the link of the mail, the text after #token=.',
  examples: ['svi_Wm9lJ3MgaW52aXRhdGlvbiwgYXMgYW4gZXhhbXBsZQx'],
})

const common = { tag: 'Team' } as const

export const inspectInvitation = query('inspect_invitation', {
  ...common,
  http: 'POST /v1/invitations/inspect',
  summary: 'Retrieve an invitation without accepting or declining it.',
  description:
    'An invitation to a team has a role. An invitation to a Room has a room_title and an access_level.',
  audience: 'public',
  input: { token: InvitationToken },
  output: {
    data: open({
      kind: openSet(['team', 'room']),
      workspace_name: T.String(),
      inviter_name: nullable(T.String()),
      masked_email: T.String({
        description: 'The invited address, masked so that only its owner recognizes it.',
      }),
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
  summary: 'Accept an invitation.',
  description:
    'Requires an access token whose email address is the invited one and is verified by the issuer. An invitation can be accepted once. An invitation to a team makes you a member of the Workspace, and the answer has data, membership, workspace and access. An invitation to a Room makes you a participant of the Room, not a member of the Workspace, and the answer has participant and room.',
  // The answer is replayed to a guest too, because accepting an invitation to a Room makes the caller one.
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
  description:
    'Requires an access token whose email address is the invited one and is verified by the issuer.',
  output: { data: T.Optional(TeamInvitation), participant: T.Optional(Participant) },
  status: 200,
  receipt: operationReceipt,
  emits: ['team_invitation.declined', 'participant.declined'],
  problems: ['not_found', 'forbidden', 'gone', 'state_conflict'],
})
