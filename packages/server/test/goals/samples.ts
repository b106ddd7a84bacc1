import { freshList } from '../lists/fresh-list.ts'
import type { Samples } from '../operations/sample.ts'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'
import { freshRoom } from '../rooms/fresh-room.ts'
import { freshGoal, freshGoalRevision } from './fresh-goal.ts'

export const samples = {
  create_goal: {
    input: async world => ({
      title: 'Close by the end of June',
      description: 'Signed purchase agreement and funded loan.',
      room_id: await freshRoom(world),
      business_id: world.published_id,
      accountable_user_id: world.people.owner.user_id,
      due_at: '2027-06-30T17:00:00.000Z',
      metric: {
        name: 'Signed letters',
        unit: 'letters',
        target: '3',
        source: { type: 'manual' },
        current: '1',
      },
    }),
    others: {
      'without a Room': ({ people }) => ({
        title: 'Ten candidates',
        accountable_user_id: people.member.user_id,
      }),
      'with the count of a List': async world => ({
        title: 'Ten candidates',
        metric: await metricOfList(world),
      }),
    },
  },
  get_goal: { input: async world => ({ goal_id: await freshGoal(world) }) },
  list_goals: { input: () => ({}) },
  update_goal: {
    input: async world => ({ ...(await freshGoalRevision(world)), title: 'Close by the end of July' }),
    others: {
      'to another person': async world => ({
        ...(await freshGoalRevision(world)),
        accountable_user_id: world.people.member.user_id,
        business_id: world.published_id,
        metric: await metricOfList(world),
      }),
      'without a change': async world => ({
        ...(await freshGoalRevision(world)),
        title: 'Close by the end of June',
      }),
      'that completes it': async world => ({
        ...(await freshGoalRevision(world)),
        title: 'Closed',
        status: 'completed',
        terminal_reason: 'The lender has confirmed.',
      }),
      'that cancels it': async world => ({
        ...(await freshGoalRevision(world)),
        status: 'canceled',
        terminal_reason: 'The seller withdrew.',
      }),
    },
  },
  reopen_goal: { input: endedGoal, roundTrips: 2 },
} satisfies Samples

const metricOfList = async (world: World) => ({
  name: 'Candidates',
  target: '10',
  source: { type: 'list_count', id: (await freshList(world)).id },
})

async function endedGoal(world: World): Promise<Input> {
  const goal_id = await freshGoal(world)
  await world.service.sql(
    `update goals set status = 'completed', terminal_reason = 'Done.', completed_at = now() where id = $1`,
    [goal_id],
  )
  return { goal_id, expected_revision: 1, reason: 'The loan fell through.' }
}
