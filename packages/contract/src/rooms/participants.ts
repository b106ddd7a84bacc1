import { Type as T } from 'typebox'
import { mutation, query } from '../operation.ts'
import { pageLimit } from '../paging.ts'
import { roomReceipt } from '../receipts.ts'
import { RoomId } from './rooms.ts'
import { component, dateTime, nullable, oneOf, open, openSet, trimmedText, uuid } from '../schema.ts'
import { accessLevels } from '../scopes.ts'

const statuses = ['pending', 'active', 'revoked', 'expired', 'declined'] as const

export type ParticipantStatus = (typeof statuses)[number]

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
    expires_at: nullable(dateTime('When the access ends; null if it does not by itself.')),
    invited_until: nullable(dateTime('Until when a pending invitation can be accepted; null otherwise.')),
    can_download: T.Boolean(),
  }),
)

export const AccessLevel = oneOf(accessLevels, 'Nobody gives a level above their own.')

/** The path of a participant. */
export const participantPath = { room_id: RoomId, participant_id: uuid() }

const common = { tag: 'Room participants', audience: 'workspace', guests: true } as const

const reading = { ...common, scope: 'rooms:read' } as const

const answer = { receipt: roomReceipt, output: { participant: Participant }, status: 200 } as const

const changing = { ...common, ...answer } as const

/** What every change of who takes part declares. */
export const participantMutation = { ...changing, scope: 'rooms:share' } as const

/** The types of its events, each with the feed that shows it. */
export const participantEvents = {
  'participant.invited': 'activity',
  'participant.joined': 'activity',
  'participant.access_changed': 'activity',
  'participant.revoked': 'activity',
  'participant.declined': 'activity',
  'participant.left': 'activity',
  'participant.expired': 'activity',
} as const

export const listParticipants = query('list_participants', {
  ...reading,
  http: 'GET /v1/rooms/{room_id}/participants',
  summary: 'List who takes part in a Room, and who is invited to it.',
  description:
    'Active participants and pending invitations, in the order of their ids. Where participant_visibility is managers, people from outside the Workspace without full access see its members, themselves and the invitations that they sent.',
  input: {
    room_id: RoomId,
    after: T.Optional(uuid('The next_cursor of the page before.')),
    limit: T.Optional(pageLimit),
  },
  output: {
    participants: T.Array(Participant),
    has_more: T.Boolean(),
    next_cursor: nullable(uuid('The last id of the page; null at the end.')),
  },
  problems: ['not_found'],
})

export const getParticipant = query('get_participant', {
  ...reading,
  http: 'GET /v1/rooms/{room_id}/participants/{participant_id}',
  summary: 'Read a participant of a Room, or an invitation to it, whatever has become of it.',
  input: participantPath,
  output: { participant: Participant },
  problems: ['not_found'],
})

export const updateParticipant = mutation('update_participant', {
  ...participantMutation,
  http: 'PATCH /v1/rooms/{room_id}/participants/{participant_id}',
  summary: 'Change the access level of an active participant or a pending invitation.',
  description: 'Takes full access. Somebody keeps full access for good: the last one cannot be lowered.',
  input: { ...participantPath, access_level: AccessLevel },
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.access_changed'],
})

export const revokeParticipant = mutation('revoke_participant', {
  ...participantMutation,
  http: 'POST /v1/rooms/{room_id}/participants/{participant_id}/revoke',
  summary: 'End the access of a participant, or an invitation.',
  description:
    'Takes full access; whoever sent an invitation can revoke it while it is pending. Somebody keeps full access for good: the last one cannot be revoked. In archived Rooms too.',
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
  summary:
    'Let oneself into any Room of the Workspace, as its owner, in person, and for a reason that the Room is told.',
  description:
    'Gives full access for good, in archived Rooms too. The event says who came and why, to everybody in the Room. Whoever has that access already is told so, and nothing happens.',
  input: {
    room_id: RoomId,
    reason: trimmedText({
      minLength: 1,
      maxLength: 2000,
      description: 'Why: at most 2,000 code points, which everybody in the Room can read.',
    }),
  },
  problems: ['validation_error', 'forbidden', 'not_found'],
  emits: ['participant.joined', 'participant.access_changed'],
})

export const leaveRoom = mutation('leave_room', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/leave',
  summary: 'Leave a Room, in person; the last one with full access cannot.',
  description:
    'Ends what was given to the caller by invitation; what general access gives them stays. In archived Rooms too.',
  input: { room_id: RoomId },
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.left'],
})
