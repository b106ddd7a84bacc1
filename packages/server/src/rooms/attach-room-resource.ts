import { attachRoomResource } from '@wbs/contract/rooms'
import { implement } from '../call/implement.ts'
import { openRoom, requireActive, roomVisible, viewerOf } from './room-access.ts'
import { openableBusiness } from './room-business-store.ts'
import { attach } from './room-change-store.ts'
import { ofRoom, presentRoom } from './room-view.ts'

const mostAttachments = 50

export const handleAttachRoomResource = implement(
  attachRoomResource,
  async ({ room_id, resource_type: type, resource_id: id }, context) => {
    const { caller, standing, tx, now, refuse } = context
    const viewer = viewerOf(caller, standing)
    // There are no Lists yet, so none that anybody can open.
    const business = type === 'business' && (await openableBusiness(tx, viewer, id))
    if (!business) throw refuse.not_found(`There is no such ${nouns[type]}, or the caller cannot open it.`)
    const room = await openRoom(context, room_id, 'edit')
    requireActive(room, refuse)
    const isThere = room.attachments.some(one => one.type === type && one.id === id)
    if (!isThere && room.attachments.length >= mostAttachments)
      throw refuse.limit_reached(`A Room has at most ${mostAttachments} attachments.`)
    const attached = isThere ? room : attach(tx, viewer, room, { type, id, label: business.name }, now)
    return {
      result: { room: presentRoom(attached) },
      revision: attached.revision,
      resource: { type: 'room', id: room_id },
      changed: isThere ? [] : ['attachments'],
      events: isThere
        ? []
        : [
            {
              type: 'attachment.added',
              ...ofRoom(attached),
              subject: { type, id, name: business.public_name },
            },
          ],
    }
  },
  { visible: roomVisible },
)

const nouns = { business: 'Business', list: 'List' } as const
