import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../database/statement.ts'
import { countedListColumnsSql, type CountedList } from '../lists/list-store.ts'
import { concludedColumnsSql, type ConcludedValuation } from '../valuations/valuation-store.ts'
import {
  placeLevelRowSql,
  placeStateSql,
  type PlaceState,
} from '../rooms/visibility/place-visibility-store.ts'
import { asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { placedGoals } from './goal-visibility-store.ts'
import type { Goal } from './goal.ts'

/** A Goal as a viewer sees it. */
export interface GoalRow extends Goal {
  workspace_id: string
  goal_id: Id<'gol'>
  room_id: Id<'rom'> | null
  business_id: Id<'biz'> | null
  created_by: string
  revision: number
  created_at: string
  updated_at: string
  access_level: AccessLevel
  /** The List that the metric counts. Null if it counts none. */
  counted_list: CountedList | null
  /** What the valuation concludes that the metric shows. Null if it shows none. */
  concluded: ConcludedValuation | null
}

/** A locked Goal, with what its changes need. */
export type LockedGoal = GoalRow & PlaceState

declare const level: unique symbol

/**
 * A Goal that was opened for a change: it is locked, and the caller's level was checked under that lock. Functions that save
 * a Goal require this type, and only goal-access.ts returns it.
 */
export type OpenedGoal<Level extends AccessLevel> = LockedGoal & { readonly [level]: Level }

/** The columns of a GoalRow from the row `t`. */
export const goalColumnsSql = (access_level: string) => `
  t.workspace_id, t.id as goal_id, t.room_id, t.business_id, t.title, t.description, t.status, t.accountable_user_id,
  t.due_at, t.metric, t.terminal_reason, t.completed_at, t.canceled_at, t.created_by, t.revision, t.created_at, t.updated_at,
  ${access_level} as access_level, (
    select to_jsonb(counted_list) from (
      select ${countedListColumnsSql} from lists l
      where l.workspace_id = :workspace_id and l.id = t.metric -> 'source' ->> 'id'
    ) counted_list) as counted_list, (
    select to_jsonb(concluded) from (
      select ${concludedColumnsSql} from valuations v
      where v.workspace_id = :workspace_id and v.id = t.metric -> 'source' ->> 'id'
    ) concluded) as concluded`

/** A Goal that the viewer can see. */
export const goalById = (reader: Reader, viewer: Viewer, goal_id: string): Promise<GoalRow | undefined> =>
  reader.one(visibleGoal, { ...asViewer(viewer), goal_id })

/** The Goal `:goal_id`, if the viewer can see it. */
const visibleGoalSql = (columns = '') => `
  select ${goalColumnsSql('seen.access_level')}${columns}
  from goals t cross join lateral ${placeLevelRowSql('t', placedGoals)} as seen (access_level)
  where t.workspace_id = :workspace_id and t.id = :goal_id and seen.access_level is not null`

const visibleGoal = read<GoalRow>('goal_visible', visibleGoalSql())

/** The same, for a change. */
export const visibleGoalForChange = read<LockedGoal>(
  'goal_visible_for_change',
  visibleGoalSql(`, ${placeStateSql('t')}`),
)
