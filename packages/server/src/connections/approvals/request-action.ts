import { requestAction } from '@wbs/contract/connections/approvals'
import { implement, type FinishContext } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { Plugins } from '../../plugins/plugin.ts'
import { requireActive, viewerOf, type CallerOfChange } from '../../rooms/room-access.ts'
import { basisInRoom, type Basis } from '../../rooms/visibility/basis-store.ts'
import { beforeConnectionChange, openConnection, requireLive } from '../connection-access.ts'
import type { ConnectionKey } from '../connection-store.ts'
import { aboutSharer } from '../connection-view.ts'
import { keyOf } from './approval-access.ts'
import { insertApproval } from './approval-change-store.ts'
import { approvalById } from './approval-store.ts'
import {
  approvalEvent,
  approvalResource,
  askJob,
  executeJob,
  expireJob,
  presentApproval,
} from './approval-view.ts'
import { hasMostOpen } from './request-store.ts'
import { requestedAction } from './requested-action.ts'
import { mostOpen } from './approval.ts'

/** Carries out an approved action that was not sent yet. Resolves when it has ended, or when somebody else is at it. */
export type Execute = (named: { workspace_id: string; approval_id: string }) => Promise<void>

/** After how many milliseconds a job carries out an action that the request itself has not. */
const safetyNet = 30_000

interface RequestParts {
  plugins: Plugins
  execute: Execute
}

export const handleRequestAction = ({ plugins, execute }: RequestParts) =>
  implement(
    requestAction,
    async function requestAction({ room_id, connection_id, note = null, ...asked }, context) {
      const { tx, caller, standing, now, refuse } = context
      const [{ room, connection }, { basis, at, isFull }] = await Promise.all([
        openConnection(context, { room_id, connection_id }, 'edit'),
        readForRequest({ room_id }, context),
      ])
      requireActive(room, refuse)
      requireLive(connection, 'request', refuse)
      const plugin = plugins.get(connection.plugin)
      if (!plugin)
        throw refuse.state_conflict('The service no longer has the plugin of this connection.', {
          current_status: connection.status,
        })
      const action = requestedAction(asked, connection, plugin, at)
      if ('errors' in action)
        throw refuse.validation_error('The action cannot be requested.', { errors: action.errors })
      if (isFull)
        throw refuse.limit_reached(`A Room can have at most ${mostOpen} approvals that are not decided yet.`)
      // Who has edit access by the lock of the Room has it on some basis.
      if (!basis) throw new Error('A requester has no basis in the Room that they opened.')
      const isRequired = connection.requires_approval.includes(asked.operation)
      const approval = insertApproval(
        tx,
        {
          workspace_id: standing.workspace_id,
          room_id: room.room_id,
          connection_id,
          requested_by: caller.user_id,
          requester_key_id: keyOf(caller),
          asked_of_user_id: connection.shared_by,
          operation: asked.operation,
          note,
          ...action,
          status: isRequired ? 'pending' : 'approved',
          basis,
        },
        now,
      )
      const isSharer = connection.shared_by === caller.user_id
      return {
        result: { data: presentApproval(approval) },
        revision: approval.revision,
        resource: approvalResource(approval),
        changed: [],
        events: [
          isRequired
            ? { ...approvalEvent('approval.requested', approval), ...aboutSharer(connection) }
            : approvalEvent('approval.approved', approval, { required: false, held_for: null }),
        ],
        jobs: [
          expireJob(approval),
          ...(isRequired && !isSharer ? [askJob(approval)] : []),
          ...(isRequired ? [] : [executeJob(approval, new Date(at.getTime() + safetyNet))]),
        ],
      }
    },
    {
      visible: beforeConnectionChange.visible,
      prefetch: (key: ConnectionKey, context: CallerOfChange) =>
        Promise.all([beforeConnectionChange.prefetch(key, context), readForRequest(key, context)]),
      finish: (answer, context) => runAtOnce(answer.data, context, execute),
    },
  )

/** What a request depends on besides the Room and the connection. Send it behind their lock. */
async function readForRequest(
  { room_id }: Pick<ConnectionKey, 'room_id'>,
  { tx, caller, standing }: CallerOfChange,
): Promise<{ basis: Basis | undefined; at: Date; isFull: boolean }> {
  const viewer = viewerOf({ caller, standing })
  const [basis, at, isFull] = await Promise.all([
    basisInRoom(tx, viewer, room_id, { user_id: caller.user_id, sees_all: true }),
    databaseTime(tx),
    hasMostOpen(tx, standing.workspace_id, room_id),
  ])
  return { basis, at, isFull }
}

type Answered = ReturnType<typeof presentApproval>

/** Carries out an action that needs no decision, and answers what came of it. Where that fails, the job does it. */
async function runAtOnce(
  data: Answered,
  { caller, standing, read, waitWithoutSlot }: FinishContext<typeof requestAction>,
  execute: Execute,
) {
  const stored = { result: { data }, revision: data.revision }
  if (data.status !== 'approved') return stored
  const viewer = viewerOf({ caller, standing })
  const { approval_id } = data
  const before = await approvalById(read, viewer, approval_id)
  if (before?.status === 'approved' && before.held_for === null)
    await waitWithoutSlot(() => execute({ workspace_id: standing.workspace_id, approval_id }))
  const now = await approvalById(read, viewer, approval_id)
  return now ? { result: { data: presentApproval(now) }, revision: now.revision } : stored
}
