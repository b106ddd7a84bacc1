import { createGoal } from '@wbs/contract/goals/goals'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../call/implement.ts'
import { lockRoomAndRead, requireActive, requireOpened, type CallerOfChange } from '../rooms/room-access.ts'
import { insertGoal } from './goal-change-store.ts'
import { goalAsSubject, presentGoal, replayedGoal } from './goal-view.ts'
import { metricSet } from './metrics/metric.ts'
import { requireMetric } from './metrics/metric-access.ts'
import { prefetchAccountable, readNamed, requireAccountable, requireNamed } from './named-access.ts'

type Input = InputOf<typeof createGoal>

export const handleCreateGoal = implement(
  createGoal,
  async function createGoal(input, context) {
    const { title, description = null, business_id = null, room_id = null, due_at = null, metric } = input
    const { accountable_user_id = null } = input
    const { tx, caller, standing, now, refuse } = context
    requireMetric(metric, refuse)
    const [locked, named] = await lockPlaceAndRead(input, context)
    const shown = requireNamed(named, refuse)
    const room = room_id === null ? null : requireOpened(locked, 'edit', refuse)
    if (room) requireActive(room, refuse)
    await requireAccountable(context, room, accountable_user_id)
    const goal = insertGoal(
      tx,
      {
        workspace_id: standing.workspace_id,
        room_id: room && room.room_id,
        business_id,
        title,
        description,
        accountable_user_id,
        due_at,
        metric: metric ? metricSet(metric, null, now) : null,
        created_by: caller.user_id,
        access_level: room ? room.access_level : 'edit',
        ...shown,
      },
      now,
    )
    return {
      result: { data: presentGoal(goal, standing) },
      revision: goal.revision,
      resource: { type: 'goal', id: goal.goal_id },
      events: [{ type: 'goal.created', ...goalAsSubject(goal) }],
    }
  },
  {
    prefetch: (input, context) =>
      Promise.all([lockPlaceAndRead(input, context), prefetchAccountable(context, input)]),
    replayed: replayedGoal,
  },
)

/** Locks the Room of the request, if it names one, and reads what else it names. */
async function lockPlaceAndRead(input: Input, context: CallerOfChange) {
  if (typeof input.room_id === 'string')
    return lockRoomAndRead(context, input.room_id, () => readNamed(context, input))
  return [undefined, await readNamed(context, input)] as const
}
