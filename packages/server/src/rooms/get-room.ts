import { getRoom } from '@wbs/contract/rooms/rooms'
import { implement } from '../call/implement.ts'
import { requireRoom } from './room-access.ts'
import { presentRoom } from './room-view.ts'

export const handleGetRoom = implement(getRoom, async function getRoom({ room_id }, context) {
  const room = await requireRoom(context, context.read, room_id)
  return { result: { room: presentRoom(room) }, revision: room.revision }
})
