import type { TaskAnswer } from '@wbs/contract/tasks/task-schema'
import { placedGoals } from '../goals/goal-visibility-store.ts'
import { placed } from '../rooms/visibility/givers-access.ts'

/** The Tasks, with the people whom each concerns, and who gave each field. */
export const placedTasks = placed<TaskAnswer>({
  table: 'tasks',
  people: ['created_by', 'assignee_user_id'],
  writers: 'written_by',
  fields: {
    task_id: 'nobody',
    room_id: 'nobody',
    business_id: 'row',
    goal_id: { names: () => placedGoals },
    title: 'row',
    description: 'row',
    section: 'row',
    kind: 'row',
    status: 'nobody',
    priority: 'row',
    assignee_user_id: 'row',
    requires_evidence: 'row',
    evidence: 'each',
    due_at: 'row',
    terminal_reason: { by: 'ended_by' },
    completed_at: 'nobody',
    canceled_at: 'nobody',
    created_by: 'row',
    revision: 'nobody',
    created_at: 'nobody',
    updated_at: 'nobody',
  },
})
