import { detachRoomResource } from '@wbs/contract/rooms'
import { implement } from '../call/implement.ts'
import { openRoom, requireActive, roomVisible, seenRoom, viewerOf } from './room-access.ts'
import { openableBusiness } from './room-business-store.ts'
import { detach } from './room-change-store.ts'
import type { RoomRow } from './room-store.ts'
import { ofRoom, presentRoom } from './room-view.ts'

export const handleDetachRoomResource = implement(
  detachRoomResource,
  async ({ room_id, attachment_id }, context) => {
    const { caller, standing, tx, now, refuse } = context
    const find = (room: RoomRow) => {
      const attachment = room.attachments.find(one => one.attachment_id === attachment_id)
      if (!attachment) throw refuse.not_found('The Room has no such attachment.')
      return attachment
    }
    find(await seenRoom(context, tx, room_id))
    const room = await openRoom(context, room_id, 'edit')
    const { type, id } = find(room)
    requireActive(room, refuse)
    const business = await openableBusiness(tx, viewerOf(caller, standing), id)
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
  { visible: roomVisible },
)
