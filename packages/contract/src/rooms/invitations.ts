import { T } from '../json/type.ts'
import { mutation } from '../operation.ts'
import { AccessLevel, participantPath, participantMutation } from './participants.ts'
import { RoomId } from './rooms.ts'
import { dateTime, emailAddress, trimmedText } from '../schema.ts'

export const inviteParticipant = mutation('invite_participant', {
  ...participantMutation,
  http: 'POST /v1/rooms/{room_id}/participants',
  summary: 'Invite a person to a Room.',
  description:
    'Requires edit access to the Room. The service mails a link to the address. Only the owner of this address can accept the invitation, once and within 14 days; accepting it does not add a member to the Workspace. If the address already has a pending invitation, it gets the values that you send and a new link; the previous link stops working. A Room has at most 500 participants, including invitations.\n\nIf participant_visibility is managers, people from outside the Workspace need full access to invite.',
  input: {
    room_id: RoomId,
    email: emailAddress('The address to invite.'),
    access_level: AccessLevel,
    expires_at: T.Optional(
      dateTime('When the access ends. Must be in the future. By default it does not end.'),
    ),
    can_download: T.Optional(
      T.Boolean({ default: true, description: 'Whether the participant may download Files.' }),
    ),
    message: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 2000,
        description: 'A message for the mail. It is shown as one paragraph.',
        example: 'The financials for 2025 are in this Room.',
      }),
    ),
  },
  status: 201,
  status_if_found: 200,
  limits: ['write', 'invite'],
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'already_exists',
    'limit_reached',
  ],
  emits: ['participant.invited'],
})

export const resendInvitation = mutation('resend_invitation', {
  ...participantMutation,
  http: 'POST /v1/rooms/{room_id}/participants/{participant_id}/resend',
  summary: 'Resend a pending invitation to a Room with a new link.',
  description:
    'Requires edit access to the Room. The previous link stops working, and the 14 days start again.',
  input: participantPath,
  limits: ['write', 'invite'],
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.invited'],
})
