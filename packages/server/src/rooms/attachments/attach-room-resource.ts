import { attachRoomResource } from '@wbs/contract/rooms/attachments'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../../call/implement.ts'
import {
  lockSeen,
  requireActive,
  requireOpened,
  roomVisible,
  viewerOf,
  type Looking,
} from '../room-access.ts'
import { openableBusiness } from '../room-business-store.ts'
import { attach } from '../room-change-store.ts'
import { ofRoom, presentRoom } from '../room-view.ts'

const mostAttachments = 50

type Named = InputOf<typeof attachRoomResource>

export const handleAttachRoomResource = implement(
  attachRoomResource,
  async function attachRoomResource(named, context) {
    const { room_id, resource_type: type, resource_id: id } = named
    const { caller, tx, now, refuse } = context
    const [seen, business] = await lookAtBoth(named, context)
    if (!business) throw refuse.not_found(`There is no such ${nouns[type]}, or you cannot open it.`)
    const room = requireOpened(seen, 'edit', refuse)
    requireActive(room, refuse)
    const isThere = room.attachments.some(one => one.type === type && one.id === id)
    if (!isThere && room.attachments.length >= mostAttachments)
      throw refuse.limit_reached(`A Room can have at most ${mostAttachments} attachments.`)
    const attached = isThere ? room : attach(tx, caller, room, { type, id, label: business.name }, now)
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
  { visible: roomVisible, prefetch: lookAtBoth },
)

/** The Room, locked, and what it is to point at. There are no Lists yet, so none that anybody can open. */
function lookAtBoth({ room_id, resource_type, resource_id }: Named, context: Looking) {
  const { caller, standing, tx } = context
  return Promise.all([
    lockSeen(context, room_id),
    resource_type === 'business'
      ? openableBusiness(tx, viewerOf(caller, standing), resource_id)
      : Promise.resolve(undefined),
  ])
}

const nouns = { business: 'Business', list: 'List' } as const
