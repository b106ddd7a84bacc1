import { attachRoomResource } from '@wbs/contract/rooms/attachments'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../../call/implement.ts'
import {
  checkRoomVisible,
  lockRoomAndRead,
  requireActive,
  requireOpened,
  type CallerOfChange,
} from '../room-access.ts'
import { readableBusiness } from '../businesses/room-business-store.ts'
import { attach } from '../room-change-store.ts'
import { roomAsSubject, presentRoom } from '../room-view.ts'

const mostAttachments = 50

type Input = InputOf<typeof attachRoomResource>

export const handleAttachRoomResource = implement(
  attachRoomResource,
  async function attachRoomResource(input, context) {
    const { room_id, resource_type: type, resource_id: id } = input
    const { caller, tx, now, refuse } = context
    const [locked, business] = await lockRoomAndReadResource(input, context)
    if (!business) throw refuse.not_found(`There is no such ${nouns[type]}, or you cannot open it.`)
    const room = requireOpened(locked, 'edit', refuse)
    requireActive(room, refuse)
    const isAttached = room.attachments.some(one => one.type === type && one.id === id)
    if (!isAttached && room.attachments.length >= mostAttachments)
      throw refuse.limit_reached(`A Room can have at most ${mostAttachments} attachments.`)
    const attached = isAttached ? room : attach(tx, caller, room, { type, id, label: business.name }, now)
    return {
      result: { room: presentRoom(attached) },
      revision: attached.revision,
      resource: { type: 'room', id: room_id },
      changed: isAttached ? [] : ['attachments'],
      events: isAttached
        ? []
        : [
            {
              type: 'attachment.added',
              ...roomAsSubject(attached),
              subject: { type, id, name: business.public_name },
            },
          ],
    }
  },
  { visible: checkRoomVisible, prefetch: lockRoomAndReadResource },
)

/** The locked Room and the resource to attach. There are no Lists yet, so nobody can read one. */
function lockRoomAndReadResource({ room_id, resource_type, resource_id }: Input, context: CallerOfChange) {
  return lockRoomAndRead(context, room_id, async viewer =>
    resource_type === 'business' ? readableBusiness(context.tx, viewer, resource_id) : undefined,
  )
}

const nouns = { business: 'Business', list: 'List' } as const
