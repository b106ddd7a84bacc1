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
    // One that is paused only while its sharer may not share stays paused afterwards.
    const from = connection.status === 'paused' ? connection.saved_status : connection.status
    const paused = saveStatus(tx, connection, moved('pause', { status: from }, refuse), now)
    return controlled(paused, context, [{ type: 'connection.paused', ...connectionAsSubject(paused) }])
  },
  beforeConnectionChange,
)
