import { createRoom } from '@wbs/contract/rooms/rooms'
import { implement } from '../call/implement.ts'
import { openRoom, requireActive, viewerOf } from './room-access.ts'
import { readableBusiness } from './businesses/room-business-store.ts'
import { insertRoom } from './room-change-store.ts'
import { roomAsSubject, presentRoom } from './room-view.ts'

export const handleCreateRoom = implement(createRoom, async function createRoom(input, context) {
  const { title, purpose = null, business_id, parent_room_id } = input
  const { tx, now, refuse } = context
  const viewer = viewerOf(context)
  const parent = parent_room_id === undefined ? null : await openRoom(context, parent_room_id, 'full_access')
  if (!parent && !viewer.is_member)
    throw refuse.forbidden('Only members of the Workspace can create Rooms in it.')
  const conflict = conflictWithParent(parent, business_id)
  if (conflict) throw refuse.validation_error(conflict.detail, { errors: [conflict] })
  if (parent) requireActive(parent, refuse)
  if (!parent && business_id !== undefined && !(await readableBusiness(tx, viewer, business_id)))
    throw refuse.not_found('There is no such Business, or you cannot see it.')
  const isOpen = !parent && business_id !== undefined
  const room = insertRoom(
    tx,
    viewer,
    {
      title,
      purpose,
      business_id: business_id ?? null,
      parent,
      general_access: isOpen ? 'business' : 'invited_only',
      general_access_level: isOpen ? 'view' : null,
    },
    now,
  )
  return {
    result: { room: presentRoom(room) },
    revision: room.revision,
    resource: { type: 'room', id: room.room_id },
    events: [{ type: 'room.created', ...roomAsSubject(room) }],
  }
})

/** The field of the input that a sub-room cannot have, as an error; undefined if there is none. */
function conflictWithParent(
  parent: { parent_id: string | null; business_id: string | null } | null,
  business_id: string | undefined,
) {
  if (!parent) return undefined
  const at = { in: 'body', code: 'conflict' } as const
  if (parent.parent_id !== null)
    return { ...at, pointer: '/parent_room_id', detail: 'A sub-room cannot have sub-rooms of its own.' }
  if (business_id !== undefined && business_id !== parent.business_id)
    return {
      ...at,
      pointer: '/business_id',
      detail: 'A sub-room has the Business of its parent. Omit business_id.',
    }
  return undefined
}
