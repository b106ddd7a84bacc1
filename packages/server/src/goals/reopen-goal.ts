import { goalMachine, reopenGoal } from '@wbs/contract/goals/goals'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { requireActivePlace } from '../rooms/place-access.ts'
import { endingOf, fieldsOfReopening, reopened } from './goal.ts'
import { checkGoalVisible, lockVisibleGoal, requireLocked, requireOpened } from './goal-access.ts'
import { saveGoal } from './goal-change-store.ts'
import { goalAsSubject, presentGoal, replayedGoal } from './goal-view.ts'

export const handleReopenGoal = implement(
  reopenGoal,
  async function reopenGoal({ goal_id, expected_revision, reason }, context) {
    const { tx, standing, now, refuse } = context
    const goal = requireOpened(requireLocked(await lockVisibleGoal(context, goal_id), refuse), 'edit', refuse)
    requireActivePlace(goal, refuse)
    requireMove(goalMachine, 'reopen', goal.status, 'The Goal is active.', refuse)
    const changed = fieldsOfReopening(goal)
    requireRevision(goal, expected_revision, changed, refuse)
    const saved = saveGoal(tx, reopened(goal), now)
    return {
      result: { data: presentGoal(saved, standing) },
      revision: saved.revision,
      resource: { type: 'goal', id: goal_id },
      changed,
      events: [{ type: 'goal.reopened', ...goalAsSubject(saved), data: { reason, before: endingOf(goal) } }],
    }
  },
  {
    visible: checkGoalVisible,
    prefetch: ({ goal_id }, context) => lockVisibleGoal(context, goal_id),
    replayed: replayedGoal,
  },
)
