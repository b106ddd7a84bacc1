import { freshRoom } from '../rooms/fresh-room.ts'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'

/** A new Goal in a Room that all members may edit. */
export async function freshGoal(world: World): Promise<string> {
  const { data } = await world.us.createGoal({
    title: 'Close by the end of June',
    room_id: await freshRoom(world),
  })
  return data.goal_id
}

/** The same, with the revision to send. */
export const freshGoalRevision = async (world: World): Promise<Input> => ({
  goal_id: await freshGoal(world),
  expected_revision: 1,
})
