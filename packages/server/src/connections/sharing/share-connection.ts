import { shareConnection } from '@wbs/contract/connections/connections'
import type { InputOf } from '@wbs/contract/operation'
import { implement, type Implementation } from '../../call/implement.ts'
import { beforeRoomChange, openRoom, requireActive, viewerOf } from '../../rooms/room-access.ts'
import { basisInRoom } from '../../rooms/visibility/basis-store.ts'
import type { Plugins } from '../../plugins/plugin.ts'
import { mostConnections } from '../connection.ts'
import { insertConnection } from '../connection-change-store.ts'
import { connectionById, countConnections, type VisibleConnectionRow } from '../connection-store.ts'
import { connectionAsSubject, connectionResource, presentConnection } from '../connection-view.ts'
import { settled, settledAgain } from './new-connection.ts'

type Input = InputOf<typeof shareConnection>

export const handleShareConnection = ({
  plugins,
}: {
  plugins: Plugins
}): Implementation<typeof shareConnection> =>
  implement(
    shareConnection,
    async function shareConnection(input, context) {
      const { caller, standing, tx, now, refuse } = context
      if (caller.kind !== 'user')
        throw refuse.forbidden('Sharing an app requires the access token of a person, not an API key.')
      const room = await openRoom(context, input.room_id, 'edit')
      const viewer = viewerOf(context)
      const [source, basis, count] = await Promise.all([
        input.source_connection_id && connectionById(tx, viewer, input.source_connection_id),
        basisInRoom(tx, viewer, room.room_id, { user_id: caller.user_id, sees_all: true }),
        countConnections(tx, room),
      ])
      if (input.source_connection_id && !(source && isSourceOf(source, input, caller.user_id)))
        throw refuse.not_found('You share no such connection with another Room of the Workspace.')
      const { connection, errors } = source ? settledAgain(plugins, input, source) : settled(plugins, input)
      if (errors.length > 0)
        throw refuse.validation_error(
          errors.length === 1 ? String(errors[0]?.detail) : `The request has ${errors.length} errors.`,
          { errors },
        )
      requireActive(room, refuse)
      if (!basis || basis.membership_id === null || standing.membership_id === null)
        throw refuse.forbidden('Only members of the Workspace can share an app.')
      if (count >= mostConnections)
        throw refuse.limit_reached(
          `A Room can have at most ${mostConnections} connections that are not stopped.`,
        )
      const { user_id, name, email } = caller
      const { membership_id } = standing
      const sharer = { user_id, name, email, membership_id, participant_id: basis.participant_id }
      const shared = insertConnection(tx, room, connection, sharer, now)
      const { kind, plugin, origin } = shared
      return {
        result: { data: presentConnection(shared, context) },
        resource: connectionResource(shared),
        changed: ['status'],
        events: [
          { type: 'connection.shared', ...connectionAsSubject(shared), data: { kind, plugin, origin } },
        ],
      }
    },
    beforeRoomChange,
  )

/** Whether a connection that the caller can see can be shared with the Room too. */
const isSourceOf = (source: VisibleConnectionRow, { room_id }: Input, user_id: string) =>
  source.shared_by === user_id && source.status !== 'stopped' && source.room_id !== room_id
