import { resumeConnection } from '@wbs/contract/connections/connections'
import { implement } from '../../call/implement.ts'
import { requireActive } from '../../rooms/room-access.ts'
import { moved, requireSharerMayShare } from '../connection.ts'
import { beforeConnectionChange, openToControl } from '../connection-access.ts'
import { saveStatus } from '../connection-change-store.ts'
import { connectionAsSubject } from '../connection-view.ts'
import { controlled } from './controlled.ts'
import { releaseHeld } from './release-held.ts'

export const handleResumeConnection = implement(
  resumeConnection,
  async function resumeConnection(key, context) {
    const { tx, now, refuse } = context
    const { room, connection } = await openToControl(context, key)
    requireActive(room, refuse)
    // A connection can become live again without a resumption: when its sharer may share again. What waits is then run here.
    const waiting = connection.status === 'live' ? await releaseHeld(tx, connection, now) : []
    if (waiting.length > 0) return controlled(connection, context, [], waiting)
    const status = moved('resume', connection, refuse)
    requireSharerMayShare(connection, refuse)
    const resumed = saveStatus(tx, connection, status, now)
    return controlled(
      resumed,
      context,
      [{ type: 'connection.resumed', ...connectionAsSubject(resumed) }],
      await releaseHeld(tx, resumed, now),
    )
  },
  beforeConnectionChange,
)
