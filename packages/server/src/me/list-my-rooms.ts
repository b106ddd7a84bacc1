import { listMyRooms } from '@wbs/contract/me'
import { implement } from '../call/implement.ts'
import { roomsOfCaller } from './my-rooms.ts'

export const handleListMyRooms = implement(
  listMyRooms,
  async function listMyRooms({ cursor: after = null, limit = 20 }, { caller, read }) {
    const { rooms, cursor } = await roomsOfCaller(read, caller, { after, limit })
    return { result: { data: rooms, page: { cursor, has_more: cursor !== null } } }
  },
)
