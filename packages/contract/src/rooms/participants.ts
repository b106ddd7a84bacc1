import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { pageLimit } from '../paging.ts'
import { roomReceipt } from '../receipts.ts'
import { RoomId } from './rooms.ts'
import { component, dateTime, nullable, oneOf, open, openSet, trimmedText, uuid } from '../schema.ts'
import { accessLevels } from '../scopes.ts'
import { stateMachine } from '../state-machine.ts'

const statuses = ['pending', 'active', 'revoked', 'expired', 'declined'] as const

export type ParticipantStatus = (typeof statuses)[number]

/** A new invitation after one of the last three states is another participant. */
export const participantMachine = stateMachine(statuses, 'pending', {
  update: { pending: 'pending', active: 'active' },
  resend: { pending: 'pending' },
  accept: { pending: 'active' },
  decline: { pending: 'declined' },
  revoke: { pending: 'revoked', active: 'revoked' },
  leave: { active: 'revoked' },
  expire: { pending: 'expired', active: 'expired' },
})

export const Participant = component(
  'RoomParticipant',
  open({
    participant_id: uuid(),
    type: openSet(['user', 'invitation']),
    user_id: nullable(uuid('Null for an invitation.')),
    email: nullable(T.String()),
    name: nullable(T.String({ description: 'Null for an invitation.' })),
    access_level: openSet(accessLevels),
    status: openSet(statuses),
    created_at: dateTime(),
    updated_at: dateTime(),
    expires_at: nullable(dateTime('When the access ends. Null: it does not end by itself.')),
    invited_until: nullable(dateTime('When a pending invitation expires. Null if there is none.')),
    can_download: T.Boolean(),
  }),
)

export const AccessLevel = oneOf(accessLevels, 'The access level to grant. It cannot be higher than yours.')

/** The parameters in the path of a participant. */
export const participantPath = { room_id: RoomId, participant_id: uuid('The ID of the participant.') }

const common = { tag: 'Room participants', audience: 'workspace', guests: true } as const

const reading = { ...common, scope: 'rooms:read' } as const

const answer = { receipt: roomReceipt, output: { participant: Participant }, status: 200 } as const

const changing = { ...common, ...answer } as const

/** What every change of a participant declares. */
export const participantMutation = { ...changing, scope: 'rooms:share' } as const

/** What the events of participants hold. */
const levelInEvent = { access_level: openSet(accessLevels) }
const breakGlassInEvent = open({ reason: T.String() })

/** The types of its events, and the feed that shows each. */
export const participantEvents = {
  'participant.invited': activity(levelInEvent),
  'participant.joined': activity({ ...levelInEvent, break_glass: T.Optional(breakGlassInEvent) }),
  'participant.access_changed': activity({
    ...levelInEvent,
    previous_access_level: T.Optional(openSet(accessLevels)),
    break_glass: T.Optional(breakGlassInEvent),
  }),
  'participant.revoked': activity(levelInEvent),
  'participant.declined': activity(levelInEvent),
  'participant.left': activity(levelInEvent),
  'participant.expired': activity(levelInEvent),
} as const

export const listParticipants = query('list_participants', {
  ...reading,
  http: 'GET /v1/rooms/{room_id}/participants',
  summary: 'List the participants of a Room.',
  description:
    'The list has active participants and pending invitations, sorted by ID. If participant_visibility is managers, people from outside the Workspace who lack full access see only members of the Workspace, themselves and the invitations that they sent.',
  input: {
    room_id: RoomId,
    after: T.Optional(uuid('The next_cursor of the previous page.')),
    limit: T.Optional(pageLimit),
  },
  output: {
    participants: T.Array(Participant),
    has_more: T.Boolean(),
    next_cursor: nullable(uuid('Pass it as after to get the next page. Null at the end of the list.')),
  },
  problems: ['not_found'],
})

export const getParticipant = query('get_participant', {
  ...reading,
  http: 'GET /v1/rooms/{room_id}/participants/{participant_id}',
  summary: 'Retrieve a participant of a Room, or an invitation to it, in any status.',
  input: participantPath,
  output: { participant: Participant },
  problems: ['not_found'],
})

export const updateParticipant = mutation('update_participant', {
  ...participantMutation,
  http: 'PATCH /v1/rooms/{room_id}/participants/{participant_id}',
  summary: 'Update the access level of an active participant or a pending invitation.',
  description:
    'Requires full access to the Room. You cannot lower the level of the last participant who has full access without an end date.',
  input: { ...participantPath, access_level: AccessLevel },
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.access_changed'],
})

export const revokeParticipant = mutation('revoke_participant', {
  ...participantMutation,
  http: 'POST /v1/rooms/{room_id}/participants/{participant_id}/revoke',
  summary: 'Revoke a participant or an invitation.',
  description:
    'Requires full access to the Room. Without it, you can revoke only invitations that you sent, while they are pending. You cannot revoke the last participant who has full access without an end date. Also possible in an archived Room.',
  input: participantPath,
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.revoked'],
})

export const breakGlass = mutation('break_glass', {
  ...answer,
  http: 'POST /v1/rooms/{room_id}/break-glass',
  tag: common.tag,
  audience: 'workspace',
  scope: 'rooms:share',
  summary: 'Give yourself full access to any Room of a Workspace that you own.',
  description:
    'Requires the access token of an owner of the Workspace. The access has no end date. An event shows you and your reason to everybody in the Room. If you already have this access, nothing changes. Also possible in an archived Room.',
  input: {
    room_id: RoomId,
    reason: trimmedText({
      minLength: 1,
      maxLength: 2000,
      description: 'Why you need access. Everybody in the Room can read it.',
      example: 'The last person with full access has left the firm.',
    }),
  },
  problems: ['validation_error', 'forbidden', 'not_found'],
  emits: ['participant.joined', 'participant.access_changed'],
})

export const leaveRoom = mutation('leave_room', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/leave',
  summary: 'Leave a Room.',
  description:
    'Requires an access token. Ends the access that you have as a participant; access through general_access remains. The last participant who has full access without an end date cannot leave. Also possible in an archived Room.',
  input: { room_id: RoomId },
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.left'],
})
