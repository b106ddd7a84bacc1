import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { GoalRow } from './goal-store.ts'
import { presentMetric, readsSource, unknownValue } from './metrics/metric-view.ts'

/** A Goal for an answer to a caller. */
export function presentGoal(row: GoalRow, standing: Standing | GuestStanding) {
  const { goal_id, business_id, room_id, title, description, status, accountable_user_id, due_at } = row
  const { metric, terminal_reason, completed_at, canceled_at, revision, created_at, updated_at } = row
  return {
    goal_id,
    business_id,
    room_id,
    title,
    description,
    status,
    accountable_user_id,
    due_at,
    metric: metric && presentMetric(metric, row, standing),
    terminal_reason,
    completed_at,
    canceled_at,
    created_by: { type: 'user' as const, id: row.created_by },
    revision,
    created_at,
    updated_at,
  }
}

/** Whether the answer shows a count or a conclusion, which change without a new revision of the Goal. */
export const showsOther = ({ metric }: GoalRow): boolean => metric !== null && metric.source.type !== 'manual'

/** A stored answer with a Goal for a replay. The caller may have lost the permissions that the value takes. */
export function replayedGoal<Answer extends { data: { metric: null | { source: { type: string } } } }>(
  answer: Answer,
  standing: Standing | GuestStanding,
): Answer {
  const { metric } = answer.data
  if (!metric || readsSource(metric.source.type, standing)) return answer
  return { ...answer, data: { ...answer.data, metric: { ...metric, current: unknownValue } } }
}

/** The fields of an event that name its Goal as the subject, and the Room whose feed has the event, if there is one. */
export const goalAsSubject = ({
  goal_id,
  title,
  room_id,
}: Pick<GoalRow, 'goal_id' | 'title' | 'room_id'>) => ({
  subject: { type: 'goal', id: goal_id, name: title },
  ...(room_id !== null && { room_id }),
})
