import { reconnectConnection } from '@wbs/contract/connections/connections'
import { implement } from '../../call/implement.ts'
import { requireActive } from '../../rooms/room-access.ts'
import { moved } from '../connection.ts'
import { beforeConnectionChange, openConnection } from '../connection-access.ts'
import { saveStatus } from '../connection-change-store.ts'
import { connectionAsSubject } from '../connection-view.ts'
import { controlled } from './controlled.ts'
import { releaseHeld } from './release-held.ts'

export const handleReconnectConnection = implement(
  reconnectConnection,
  async function reconnectConnection(key, context) {
    const { caller, tx, now, refuse } = context
    const { room, connection } = await openConnection(context, key, 'view')
    if (connection.shared_by !== caller.user_id)
      throw refuse.forbidden('Only the person who shares the connection can reconnect it.')
    requireActive(room, refuse)
    const status = moved('reconnect', connection, refuse)
    const jobs = await releaseHeld(tx, connection, now)
    const reconnected = saveStatus(tx, connection, status, now)
    return controlled(
      reconnected,
      context,
      [{ type: 'connection.reconnected', ...connectionAsSubject(reconnected) }],
      jobs,
    )
  },
  beforeConnectionChange,
)
