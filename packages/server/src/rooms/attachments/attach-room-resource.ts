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
import { readableList } from './readable-list-store.ts'
import { attach } from '../room-change-store.ts'
import { roomAsSubject, presentRoom } from '../room-view.ts'

const mostAttachments = 50

type Input = InputOf<typeof attachRoomResource>

export const handleAttachRoomResource = implement(
  attachRoomResource,
  async function attachRoomResource(input, context) {
    const { room_id, resource_type: type, resource_id: id } = input
    const { caller, tx, now, refuse } = context
    const [locked, resource] = await lockRoomAndReadResource(input, context)
    if (!resource) throw refuse.not_found(`There is no such ${nouns[type]}, or you cannot open it.`)
    const room = requireOpened(locked, 'edit', refuse)
    requireActive(room, refuse)
    // What a hidden guest has attached is not there for this caller.
    const isAttached = room.attachments.some(
      attachment => attachment.type === type && attachment.id === id && !attachment.is_hidden,
    )
    if (!isAttached && room.attachments.length >= mostAttachments)
      throw refuse.limit_reached(`A Room can have at most ${mostAttachments} attachments.`)
    const attached = isAttached ? room : attach(tx, caller, room, { type, id, label: resource.name }, now)
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
              subject: { type, id, name: resource.public_name },
            },
          ],
    }
  },
  { visible: checkRoomVisible, prefetch: lockRoomAndReadResource },
)

/** The locked Room and the resource to attach, if the caller can open it. */
function lockRoomAndReadResource({ room_id, resource_type, resource_id }: Input, context: CallerOfChange) {
  return lockRoomAndRead(context, room_id, viewer => readable[resource_type](context.tx, viewer, resource_id))
}

const readable = { business: readableBusiness, list: readableList }
const nouns = { business: 'Business', list: 'List' } as const
