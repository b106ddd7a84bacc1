import type { World } from '../../operations/world.ts'
import { freshConnection } from '../fresh-connection.ts'

/** A pending approval in a new Room that all members may edit, requested by the owner, who shares the connection. */
export async function freshApproval(world: World) {
  const { data } = await world.us.requestApproval({
    ...(await freshConnection(world)),
    operation: 'change',
    arguments: { text: 'Paid' },
  })
  return data
}
