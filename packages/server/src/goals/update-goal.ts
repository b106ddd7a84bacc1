import { goalMachine, updateGoal, type GoalStatus } from '@wbs/contract/goals/goals'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { placeOfRow, requireActivePlace } from '../rooms/place-access.ts'
import type { CallerOfChange } from '../rooms/room-access.ts'
import { changedFields, ended, fieldsOfEnding, type Ending } from './goal.ts'
import { checkGoalVisible, lockVisibleGoal, requireLocked, requireOpened } from './goal-access.ts'
import { saveGoal } from './goal-change-store.ts'
import type { LockedGoal } from './goal-store.ts'
import { goalAsSubject, presentGoal, replayedGoal } from './goal-view.ts'
import { metricSet } from './metrics/metric.ts'
import { requireMetric } from './metrics/metric-access.ts'
import { prefetchAccountable, readNamed, requireAccountable, requireNamed } from './named-access.ts'

type Input = InputOf<typeof updateGoal>

export const handleUpdateGoal = implement(
  updateGoal,
  async function updateGoal(input, context) {
    const { goal_id, expected_revision, status, terminal_reason, metric, ...described } = input
    const { tx, standing, now, refuse } = context
    requireMetric(metric, refuse)
    const [locked, named] = await lockAndRead(input, context)
    const before = requireLocked(locked, refuse)
    const shown = requireNamed(isSameBusiness(input, before) ? { ...named, business: null } : named, refuse)
    const goal = requireOpened(before, 'edit', refuse)
    if (described.accountable_user_id !== goal.accountable_user_id)
      await requireAccountable(context, placeOfRow(goal), described.accountable_user_id)
    requireActivePlace(goal, refuse)
    requireMove(goalMachine, moves[status ?? 'active'], goal.status, hasEnded, refuse)
    const edited = {
      ...goal,
      ...described,
      ...(metric !== undefined && {
        metric: metric && metricSet(metric, goal.metric, now),
        ...shown,
      }),
    }
    const ending = status && terminal_reason !== undefined ? { status, terminal_reason } : null
    const fields = changedFields(goal, edited)
    const changed = [...fields, ...(ending ? fieldsOfEnding(ending) : [])]
    requireRevision(goal, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? saveGoal(tx, ending ? ended(edited, ending, now) : edited, now) : goal
    return {
      result: { data: presentGoal(saved, standing) },
      revision: saved.revision,
      resource: { type: 'goal', id: goal_id },
      changed,
      events: eventsOf(saved, fields, ending),
    }
  },
  {
    visible: checkGoalVisible,
    prefetch: (input, context) =>
      Promise.all([lockAndRead(input, context), prefetchAccountable(context, input)]),
    replayed: replayedGoal,
  },
)

const moves = { active: 'update', completed: 'complete', canceled: 'cancel' } as const satisfies Record<
  GoalStatus,
  string
>
const hasEnded = 'The Goal is completed or canceled. Reopen it first.'

/** Locks the Goal of the path and reads what the request names. */
const lockAndRead = (input: Input, context: CallerOfChange) =>
  Promise.all([lockVisibleGoal(context, input.goal_id), readNamed(context, input)])

/** Whoever sends a Goal as they read it need not see its Business. */
const isSameBusiness = ({ business_id }: Input, goal: LockedGoal) => business_id === goal.business_id

/** What happened to a Goal in which some fields changed, and which may have ended. */
const eventsOf = (goal: LockedGoal, fields: string[], ending: Ending | null) => [
  ...(fields.length > 0
    ? [{ type: 'goal.updated' as const, ...goalAsSubject(goal), data: { changed: fields } }]
    : []),
  ...(ending
    ? [
        {
          type: `goal.${ending.status}` as const,
          ...goalAsSubject(goal),
          data: { terminal_reason: ending.terminal_reason },
        },
      ]
    : []),
]
