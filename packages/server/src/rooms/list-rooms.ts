import { listRooms } from '@wbs/contract/rooms/rooms'
import { implement } from '../call/implement.ts'
import { viewerOf } from './room-access.ts'
import { roomsPage } from './room-page-store.ts'
import { presentRoom } from './room-view.ts'

export const handleListRooms = implement(listRooms, async function listRooms(input, context) {
  const { business_id, parent_room_id, status, title, cursor: after = '', limit = 20 } = input
  const filter = { business_id, parent_room_id, status, title }
  const { rooms, cursor } = await roomsPage(context.read, viewerOf(context), filter, { after, limit })
  return { result: { data: rooms.map(presentRoom), page: { cursor, has_more: cursor !== null } } }
})
