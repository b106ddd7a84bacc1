import type { GoalStatus } from '@wbs/contract/goals/goals'
import type { Reader } from '../database/statement.ts'
import { placedPage, placeScans, type PlaceScan } from '../rooms/visibility/place-page-store.ts'
import type { Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { goalColumnsSql, type GoalRow } from './goal-store.ts'
import { placedGoals } from './goal-visibility-store.ts'

export interface GoalFilter {
  business_id: string | undefined
  room_id: string | undefined
  status: GoalStatus | undefined
  accountable_user_id: string | undefined
  due_before: string | undefined
}

/** A page of the Goals that the viewer can see, by id. */
export function goalsPage(
  reader: Reader,
  viewer: Viewer,
  filter: GoalFilter,
  page: { after: string; limit: number },
): Promise<{ rows: GoalRow[]; cursor: string | null }> {
  return placedPage(reader, viewer, scanFor(viewer, filter), filter, page)
}

/** The scan that reads the fewest Goals. That of the viewer's Rooms is for whoever sees few Goals of a Business or a person. */
function scanFor(
  { user_id, is_member }: Viewer,
  { room_id, accountable_user_id, business_id }: GoalFilter,
): PlaceScan<GoalRow> {
  if (room_id !== undefined) return goalsOfRoom
  if (accountable_user_id !== undefined && (is_member || accountable_user_id === user_id))
    return goalsOfAccountable
  return business_id === undefined ? goalsOfViewer : goalsOfBusiness
}

const scans = placeScans<GoalRow>({
  ...placedGoals,
  columns: goalColumnsSql('page.access_level'),
  filter: `(:business_id::text is null or t.business_id = :business_id) and (:room_id::text is null or t.room_id = :room_id)
    and (:status::text is null or t.status = :status) and (:accountable_user_id::uuid is null or t.accountable_user_id = :accountable_user_id)
    and (:due_before::timestamptz is null or t.due_at < :due_before)`,
})

const goalsOfViewer = scans.ofViewer('goals_of_viewer')
const goalsOfRoom = scans.having('goals_of_room', 't.room_id = :room_id')
const goalsOfAccountable = scans.having(
  'goals_of_accountable',
  't.accountable_user_id = :accountable_user_id',
)
const goalsOfBusiness = scans.ofViewer('goals_of_business', 't.business_id = :business_id')
