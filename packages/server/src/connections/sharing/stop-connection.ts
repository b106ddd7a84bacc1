import { stopConnection } from '@wbs/contract/connections/connections'
import { implement } from '../../call/implement.ts'
import { cancelOpenApprovals } from '../approvals/approval-change-store.ts'
import { canceledByStop } from '../approvals/approval-view.ts'
import { moved } from '../connection.ts'
import { beforeConnectionChange, openToControl } from '../connection-access.ts'
import { saveStatus } from '../connection-change-store.ts'
import { connectionAsSubject } from '../connection-view.ts'
import { controlled } from './controlled.ts'

export const handleStopConnection = implement(
  stopConnection,
  async function stopConnection(key, context) {
    const { tx, now, refuse } = context
    // A connection can be stopped in an archived Room too.
    const { connection } = await openToControl(context, key)
    const stopped = saveStatus(tx, connection, moved('stop', connection, refuse), now)
    const canceled = await cancelOpenApprovals(tx, stopped, now)
    return controlled(stopped, context, [
      { type: 'connection.stopped', ...connectionAsSubject(stopped) },
      ...canceledByStop(canceled),
    ])
  },
  beforeConnectionChange,
)
