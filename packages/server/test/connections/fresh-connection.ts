import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import { someApp } from '../harness/test-app.ts'
import type { World } from '../operations/world.ts'
import { freshRoom } from '../rooms/fresh-room.ts'

/** A new connection of the owner to an app, in a new Room that all members may edit. */
export async function freshConnection(
  world: World,
  status: ConnectionStatus = 'live',
): Promise<{ room_id: string; connection_id: string }> {
  const room_id = await freshRoom(world)
  const { data } = await world.us.shareConnection({ room_id, ...someApp })
  const { connection_id } = data
  if (status !== 'live')
    await world.service.sql('update room_connections set status = $2 where id = $1', [connection_id, status])
  return { room_id, connection_id }
}
