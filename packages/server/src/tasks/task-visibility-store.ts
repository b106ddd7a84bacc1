import { isKnownPersonSql } from '../rooms/visibility/masked-people-store.ts'
import type { PlacedTable } from '../rooms/visibility/place-visibility-store.ts'

/** The Tasks, with the people whom each concerns. */
export const placedTasks: PlacedTable = { table: 'tasks', people: ['created_by', 'assignee_user_id'] }

/**
 * SQL: whether the viewer can see a user who did something with the Task `row`: not where its Room hides other guests from the
 * viewer. $1 to $4 are the viewer.
 */
export const seesPersonSql = (row: string, access_level: string, user_id: string) => `(
  $3::boolean or ${row}.room_id is null or ${access_level} = 'full_access' or ${isKnownPersonSql(user_id, '$2::uuid')}
  or not exists (
    select from rooms masked where masked.workspace_id = $1 and masked.id = ${row}.room_id
      and masked.participant_visibility = 'managers' offset 0))`
