import { detachRoomResource } from '@wbs/contract/rooms/attachments'
import { implement } from '../../call/implement.ts'
import {
  checkRoomVisible,
  lockRoomAndRead,
  requireActive,
  requireLevel,
  requireOpened,
  type CallerOfChange,
} from '../room-access.ts'
import { readableAttachedBusiness } from '../businesses/room-business-store.ts'
import { detach } from '../room-change-store.ts'
import { roomAsSubject, presentRoom } from '../room-view.ts'

export const handleDetachRoomResource = implement(
  detachRoomResource,
  async function detachRoomResource(named, context) {
    const { room_id, attachment_id } = named
    const { tx, now, refuse } = context
    const [locked, business] = await lockRoomAndReadBusiness(named, context)
    const viewed = requireOpened(locked, 'view', refuse)
    const attachment = viewed.attachments.find(
      attached => attached.attachment_id === attachment_id && !attached.is_hidden,
    )
    if (!attachment) throw refuse.not_found('There is no such attachment in the Room.')
    const room = requireLevel(viewed, 'edit', refuse)
    requireActive(room, refuse)
    const { type, id } = attachment
    const detached = detach(tx, room, attachment_id, now)
    return {
      result: { room: presentRoom(detached) },
      revision: detached.revision,
      resource: { type: 'room', id: room_id },
      changed: ['attachments'],
      events: [
        {
          type: 'attachment.removed',
          ...roomAsSubject(detached),
          subject: { type, id, name: business?.public_name ?? null },
        },
      ],
    }
  },
  { visible: checkRoomVisible, prefetch: lockRoomAndReadBusiness },
)

/** The locked Room and the Business of the attachment. */
function lockRoomAndReadBusiness(named: { room_id: string; attachment_id: string }, context: CallerOfChange) {
  return lockRoomAndRead(context, named.room_id, viewer =>
    readableAttachedBusiness(context.tx, viewer, named),
  )
}
