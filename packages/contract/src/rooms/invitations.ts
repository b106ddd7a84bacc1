import { Type as T } from 'typebox'
import { mutation } from '../operation.ts'
import { AccessLevel, participantPath, participantMutation } from './participants.ts'
import { RoomId } from './rooms.ts'
import { dateTime, emailAddress, trimmedText } from '../schema.ts'

export const inviteParticipant = mutation('invite_participant', {
  ...participantMutation,
  http: 'POST /v1/rooms/{room_id}/participants',
  summary: 'Invite somebody to a Room, by mail.',
  description:
    'Takes edit access. The invitation is for the address alone, good for 14 days and for one use, and makes nobody a member of the Workspace. An address that is invited already is sent a new link, and gets what is given now; its earlier link is dead. A Room has at most 500 participants, invitations included.\n\nWhere participant_visibility is managers, people from outside the Workspace need full access for it.',
  input: {
    room_id: RoomId,
    email: emailAddress(),
    access_level: AccessLevel,
    expires_at: T.Optional(dateTime('When the access is to end.')),
    can_download: T.Optional(T.Boolean({ default: true })),
    message: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 2000,
        description: 'What to say in the mail, in up to 2,000 code points; it becomes one paragraph.',
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
  summary: 'Send a pending invitation to a Room again, with a new link.',
  description: 'Takes edit access. The link that was sent before is dead, and the 14 days begin anew.',
  input: participantPath,
  limits: ['write', 'invite'],
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['participant.invited'],
})
