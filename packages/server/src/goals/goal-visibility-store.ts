import type { GoalAnswer } from '@wbs/contract/goals/goals'
import { placed } from '../rooms/visibility/givers-access.ts'

/** The Goals, with the people whom each concerns, and who gave each field. Guests change no Goal. */
export const placedGoals = placed<GoalAnswer>({
  table: 'goals',
  people: ['created_by', 'accountable_user_id'],
  fields: {
    goal_id: 'nobody',
    business_id: 'row',
    room_id: 'nobody',
    title: 'row',
    description: 'row',
    status: 'nobody',
    accountable_user_id: 'row',
    due_at: 'row',
    metric: 'row',
    terminal_reason: 'row',
    completed_at: 'nobody',
    canceled_at: 'nobody',
    created_by: 'row',
    revision: 'nobody',
    created_at: 'nobody',
    updated_at: 'nobody',
  },
})
