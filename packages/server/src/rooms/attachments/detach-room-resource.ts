import { detachRoomResource } from '@wbs/contract/rooms/attachments'
import { implement } from '../../call/implement.ts'
import {
  lockSeen,
  requireActive,
  requireLevel,
  requireOpened,
  roomVisible,
  viewerOf,
  type Looking,
} from '../room-access.ts'
import { attachedBusiness } from '../room-business-store.ts'
import { detach } from '../room-change-store.ts'
import { ofRoom, presentRoom } from '../room-view.ts'

export const handleDetachRoomResource = implement(
  detachRoomResource,
  async function detachRoomResource(named, context) {
    const { room_id, attachment_id } = named
    const { tx, now, refuse } = context
    const [seen, business] = await lookAtBoth(named, context)
    const viewed = requireOpened(seen, 'view', refuse)
    const attachment = viewed.attachments.find(one => one.attachment_id === attachment_id)
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
          ...ofRoom(detached),
          subject: { type, id, name: business?.public_name ?? null },
        },
      ],
    }
  },
  { visible: roomVisible, prefetch: lookAtBoth },
)

/** The Room, locked, and the Business that the attachment points at. */
function lookAtBoth(named: { room_id: string; attachment_id: string }, context: Looking) {
  const { caller, standing, tx } = context
  return Promise.all([
    lockSeen(context, named.room_id),
    attachedBusiness(tx, viewerOf(caller, standing), named),
  ])
}
