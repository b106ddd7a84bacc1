import { newUnorderedId, type Id } from '@wbs/contract/ids'
import { updateRevision, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { DescribedGoal } from './goal.ts'
import type { GoalRow, OpenedGoal } from './goal-store.ts'

export interface NewGoal
  extends
    DescribedGoal,
    Pick<
      GoalRow,
      | 'workspace_id'
      | 'room_id'
      | 'business_id'
      | 'created_by'
      | 'access_level'
      | 'counted_list'
      | 'concluded'
    > {
  business_id: Id<'biz'> | null
}

/** Inserts an active Goal. */
export function insertGoal(tx: Transaction, goal: NewGoal, now: Date): GoalRow {
  const { workspace_id, room_id, business_id, title, description, accountable_user_id, due_at } = goal
  // Ids in the order of creation would reveal how many Goals there are between two that somebody can see.
  const goal_id = newUnorderedId('gol', now.getTime())
  tx.save(goalInsert, {
    workspace_id,
    goal_id,
    room_id,
    business_id,
    title,
    description,
    accountable_user_id,
    due_at,
    metric: metricJson(goal),
    created_by: goal.created_by,
    now,
  })
  const at = now.toISOString()
  return {
    ...goal,
    goal_id,
    status: 'active',
    terminal_reason: null,
    completed_at: null,
    canceled_at: null,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
}

/** Saves what describes a Goal, and its status, as a new revision. */
export function saveGoal<Row extends OpenedGoal<'edit'>>(tx: Transaction, goal: Row, now: Date): Row {
  const { workspace_id, goal_id, business_id, title, description, accountable_user_id, due_at } = goal
  const { status, terminal_reason, completed_at, canceled_at } = goal
  tx.save(goalSave, {
    workspace_id,
    goal_id,
    business_id,
    title,
    description,
    accountable_user_id,
    due_at,
    metric: metricJson(goal),
    status,
    terminal_reason,
    completed_at,
    canceled_at,
    now,
    revision: goal.revision,
  })
  return { ...goal, revision: goal.revision + 1, updated_at: now.toISOString() }
}

const metricJson = ({ metric }: Pick<DescribedGoal, 'metric'>) => (metric ? JSON.stringify(metric) : null)

const goalInsert = write(
  'goal_insert',
  `insert into goals (workspace_id, id, room_id, business_id, title, description, accountable_user_id, due_at, metric,
     created_by, created_at, updated_at)
   values (:workspace_id, :goal_id, :room_id, :business_id, :title, :description, :accountable_user_id, :due_at, :metric, :created_by, :now, :now)`,
)

const goalSave = updateRevision(
  'goal_save',
  `update goals set business_id = :business_id, title = :title, description = :description, accountable_user_id = :accountable_user_id, due_at = :due_at, metric = :metric,
     status = :status, terminal_reason = :terminal_reason, completed_at = :completed_at, canceled_at = :canceled_at, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :goal_id and revision = :revision`,
)
