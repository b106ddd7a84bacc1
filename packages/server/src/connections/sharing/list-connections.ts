import { listConnections } from '@wbs/contract/connections/connections'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { requireRoom, viewerOf } from '../../rooms/room-access.ts'
import { connectionsPage } from '../connection-store.ts'
import { presentConnection } from '../connection-view.ts'

export const handleListConnections = implement(
  listConnections,
  async function listConnections({ room_id, status = null, cursor: after = null, limit = 20 }, context) {
    const { read } = context
    await requireRoom(context, read, room_id)
    const rows = await connectionsPage(read, viewerOf(context), room_id, { status, after, limit: limit + 1 })
    const shown = rows.map(row => presentConnection(row, context))
    return { result: pageOf(shown, limit, connection => connection.connection_id) }
  },
)
