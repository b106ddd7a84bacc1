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
  tx.save(goalInsert, [
    workspace_id,
    goal_id,
    room_id,
    business_id,
    title,
    description,
    accountable_user_id,
    due_at,
    metricJson(goal),
    goal.created_by,
    now,
  ])
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
  tx.save(goalSave, [
    workspace_id,
    goal_id,
    business_id,
    title,
    description,
    accountable_user_id,
    due_at,
    metricJson(goal),
    status,
    terminal_reason,
    completed_at,
    canceled_at,
    now,
    goal.revision,
  ])
  return { ...goal, revision: goal.revision + 1, updated_at: now.toISOString() }
}

const metricJson = ({ metric }: Pick<DescribedGoal, 'metric'>) => (metric ? JSON.stringify(metric) : null)

const goalInsert = write(
  'goal_insert',
  `insert into goals (workspace_id, id, room_id, business_id, title, description, accountable_user_id, due_at, metric,
     created_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
)

const goalSave = updateRevision(
  'goal_save',
  `update goals set business_id = $3, title = $4, description = $5, accountable_user_id = $6, due_at = $7, metric = $8,
     status = $9, terminal_reason = $10, completed_at = $11, canceled_at = $12, revision = revision + 1, updated_at = $13
   where workspace_id = $1 and id = $2 and revision = $14`,
)
