import { listRooms } from '@wbs/contract/rooms'
import { implement } from '../call/implement.ts'
import { pageOf } from '../call/page.ts'
import { viewerOf } from './room-access.ts'
import { roomsPage } from './room-store.ts'
import { presentRoom } from './room-view.ts'

export const handleListRooms = implement(listRooms, async (input, { caller, standing, read }) => {
  const { business_id, parent_room_id, status, title, cursor = '', limit = 20 } = input
  const filter = { business_id, parent_room_id, status, title, after: cursor, limit: limit + 1 }
  const rows = await roomsPage(read, viewerOf(caller, standing), filter)
  return { result: pageOf(rows.map(presentRoom), limit, room => room.room_id) }
})
