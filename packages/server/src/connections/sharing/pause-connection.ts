import { pauseConnection } from '@wbs/contract/connections/connections'
import { implement } from '../../call/implement.ts'
import { moved } from '../connection.ts'
import { beforeConnectionChange, openToControl } from '../connection-access.ts'
import { saveStatus } from '../connection-change-store.ts'
import { connectionAsSubject } from '../connection-view.ts'
import { controlled } from './controlled.ts'

export const handlePauseConnection = implement(
  pauseConnection,
  async function pauseConnection(key, context) {
    const { tx, now, refuse } = context
    // A connection can be paused in an archived Room too.
    const { connection } = await openToControl(context, key)
    const status = moved('pause', connection, refuse)
    // One that is paused only while its sharer may not share stays paused afterwards.
    if (connection.saved_status !== 'live') return controlled(connection, context)
    const paused = saveStatus(tx, connection, status, now)
    return controlled(paused, context, [{ type: 'connection.paused', ...connectionAsSubject(paused) }])
  },
  beforeConnectionChange,
)
