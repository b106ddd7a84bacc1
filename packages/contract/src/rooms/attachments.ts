import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation } from '../operation.ts'
import { RoomId, roomMutation } from './rooms.ts'
import { oneOf, uuid } from '../schema.ts'

/** The types of its events, and the feed that shows each. */
export const attachmentEvents = {
  'attachment.added': activity(),
  'attachment.removed': activity(),
} as const

export const attachRoomResource = mutation('attach_room_resource', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/attachments',
  summary: 'Attach a Business or a List to a Room.',
  description:
    'Requires edit access to the Room. You must be able to open the Business or List. Attaching does not share it: participants who cannot open it see the attachment without its name. Attaching it again changes nothing.',
  input: {
    room_id: RoomId,
    resource_type: oneOf(['business', 'list']),
    resource_id: T.Unsafe<string>({
      type: 'string',
      pattern: '^(?:biz|list)_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'The ID of the Business (biz_) or the List (list_).',
    }),
  },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['attachment.added'],
})

export const detachRoomResource = mutation('detach_room_resource', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/attachments/{attachment_id}/remove',
  summary: 'Detach a Business or a List from a Room.',
  description: 'Requires edit access to the Room.',
  input: { room_id: RoomId, attachment_id: uuid('The ID of the attachment.') },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['attachment.removed'],
})
