import { randomUUID } from 'node:crypto'
import { readConnection } from '@wbs/contract/connections/connections'
import { implement, type Implementation, type QueryContext } from '../../call/implement.ts'
import { unavailable } from '../../call/problem.ts'
import type { RecordRead } from '../../call/recorded-read.ts'
import type { SystemChange } from '../../call/system-change.ts'
import type { Plugin, PluginOperation, PluginOutcome, Plugins } from '../../plugins/plugin.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { argumentErrors, errorAt } from '../connection.ts'
import { requireConnection, requireFound, requireLive } from '../connection-access.ts'
import { lockRoomOfConnection, type ConnectionKey, type ConnectionRow } from '../connection-store.ts'
import { aboutSharer, connectionAsSubject } from '../connection-view.ts'
import { failConnection } from '../fail-connection.ts'
import { callPlugin } from '../plugin-call.ts'

type Context = QueryContext<typeof readConnection>

/** What reading needs. */
interface ReadingParts {
  plugins: Plugins
  recordRead: RecordRead
  change: SystemChange
}

export const handleReadConnection = (parts: ReadingParts): Implementation<typeof readConnection> =>
  implement(readConnection, async function readConnection({ operation, arguments: args, ...key }, context) {
    const { read, refuse, waitWithoutSlot } = context
    const connection = await requireConnection(context, read, key)
    const { plugin, named } = requireReading(parts.plugins, connection, operation, refuse)
    const errors = argumentErrors(named, args)
    if (errors.length > 0)
      throw refuse.validation_error(
        errors.length === 1 ? String(errors[0]?.detail) : `The request has ${errors.length} errors.`,
        { errors },
      )
    requireLive(connection, 'read', refuse)
    const { config } = connection
    const call = { config, operation, arguments: args, idempotency_key: null }
    const outcome = await waitWithoutSlot(() => callPlugin(plugin, call))
    if (outcome.outcome !== 'succeeded') throw await refusalOf(outcome, parts.change, key, context)
    await recordReading(parts.recordRead, key, operation, context)
    const { connection_id } = key
    return {
      result: {
        data: { connection_id, operation, output: outcome.output, read_at: context.now.toISOString() },
      },
    }
  })

/** The operation, if the connection allows to read with it. Throws validation_error, forbidden or unprocessable_content. */
function requireReading(
  plugins: Plugins,
  connection: ConnectionRow,
  operation: string,
  refuse: Context['refuse'],
): { plugin: Plugin; named: PluginOperation } {
  if (!connection.allowed_operations.includes(operation)) {
    const detail = 'The connection does not allow this operation: choose one of its allowed_operations.'
    throw refuse.validation_error(detail, { errors: [errorAt('/operation', detail, 'unknown')] })
  }
  const plugin = plugins.get(connection.plugin)
  const named = plugin && Object.hasOwn(plugin.operations, operation) && plugin.operations[operation]
  if (!named)
    throw refuse.unprocessable_content('The service does not have the plugin of this connection any more.')
  if (named.effect !== 'reads')
    throw refuse.forbidden('This operation may change something in the app. Request it as an action.')
  if (connection.requires_approval.includes(operation))
    throw refuse.forbidden('This operation requires an approval. Request it as an action.')
  return { plugin, named }
}

/**
 * Records the reading for the Room and the sharer. Before that it judges again, under locks, whether the caller may have the
 * answer: much can have happened while the app was asked.
 */
const recordReading = (recordRead: RecordRead, key: ConnectionKey, operation: string, context: Context) => {
  const { caller, standing, refuse } = context
  return recordRead(readConnection, caller, standing.workspace_id, async now => {
    const connection = requireFound(
      await lockRoomOfConnection(now.tx, viewerOf(now), key, now.standing.seal),
      refuse,
    )
    requireLive(connection, 'read', refuse)
    return [
      {
        type: 'connection.read',
        ...connectionAsSubject(connection),
        ...aboutSharer(connection),
        data: { operation },
      },
    ]
  })
}

/**
 * The problem for a call without a result. It does not tell a host that does not exist from one that is closed or slow, so that
 * nobody can explore a network with it.
 */
async function refusalOf(
  { outcome, detail }: Exclude<PluginOutcome, { outcome: 'succeeded' }>,
  change: SystemChange,
  key: ConnectionKey,
  context: Context,
): Promise<Error> {
  const { standing, read, refuse, now } = context
  if (outcome === 'access_refused')
    await change(standing.workspace_id, { id: randomUUID() }, async tx => {
      const { events } = await failConnection(tx, { workspace_id: standing.workspace_id, ...key }, now)
      return events
    })
  // Whoever lost their access meanwhile does not learn what the app answered.
  requireLive(await requireConnection(context, read, key), 'read', refuse)
  if (outcome === 'unreachable' || outcome === 'outcome_unknown')
    return unavailable('The app cannot be reached now. Try again later.', 10)
  return refuse.unprocessable_content(detail)
}
