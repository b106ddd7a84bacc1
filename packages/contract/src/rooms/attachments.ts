import { Type as T } from 'typebox'
import { mutation } from '../operation.ts'
import { RoomId, roomMutation } from './rooms.ts'
import { oneOf, uuid } from '../schema.ts'

/** The types of its events, each with the feed that shows it. */
export const attachmentEvents = {
  'attachment.added': 'activity',
  'attachment.removed': 'activity',
} as const

export const attachRoomResource = mutation('attach_room_resource', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/attachments',
  summary: 'Point a Room at a Business or a List that the caller can open.',
  description:
    'Takes edit access. Attaching shares nothing: who cannot open it sees that it is there, and no name. To repeat it changes nothing.',
  input: {
    room_id: RoomId,
    resource_type: oneOf(['business', 'list']),
    resource_id: T.Unsafe<string>({
      type: 'string',
      pattern: '^(?:biz|list)_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'The id of the Business (biz_) or the List (list_).',
    }),
  },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['attachment.added'],
})

export const detachRoomResource = mutation('detach_room_resource', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/attachments/{attachment_id}/remove',
  summary: 'Take an attachment out of a Room. Takes edit access.',
  input: { room_id: RoomId, attachment_id: uuid() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['attachment.removed'],
})
