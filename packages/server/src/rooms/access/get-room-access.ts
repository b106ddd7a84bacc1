import { getRoomAccess } from '@wbs/contract/rooms/access'
import { includes } from '@wbs/contract/scopes'
import { implement } from '../../call/implement.ts'
import { requireRoom, viewerOf } from '../room-access.ts'
import { explainAccess, viewerById } from './access-explanation-store.ts'

export const handleGetRoomAccess = implement(
  getRoomAccess,
  async function getRoomAccess({ room_id, user_id }, context) {
    const { caller, standing, read, refuse } = context
    const room = await requireRoom(context, read, room_id)
    const isOwn = user_id === undefined || user_id === caller.user_id
    if (!isOwn && !includes(room.access_level, 'full_access'))
      throw refuse.forbidden('You need full access to the Room to see the access of others.')
    const viewer = isOwn ? viewerOf(context) : await viewerById(read, standing.workspace_id, user_id)
    const reasons = await explainAccess(read, viewer, room_id)
    const effective = reasons.map(reason => reason.level).toSorted((a, b) => (includes(a, b) ? -1 : 1))[0]
    return { result: { user_id: viewer.user_id, effective_level: effective ?? null, reasons } }
  },
)
