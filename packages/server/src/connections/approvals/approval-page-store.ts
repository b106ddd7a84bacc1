import type { ApprovalStatus } from '@wbs/contract/connections/approvals'
import type { Reader } from '../../database/statement.ts'
import { placedPage, placeScans } from '../../rooms/visibility/place-page-store.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import {
  approvalColumnsSql,
  approvalStatusSql,
  knownFieldOf,
  type VisibleApprovalRow,
} from './approval-store.ts'
import { placedApprovals } from './approval-visibility-store.ts'

export interface ApprovalFilter {
  room_id: string | null
  status: ApprovalStatus | null
  /** Only those that the viewer is asked for. */
  asked_of_me: boolean
}

/** How many bytes of arguments and outputs a page has when it ends. The last approval may exceed it. */
const pageBytes = 1024 * 1024

/** A page of the approvals that the viewer can see, by id. It ends early where they are large. */
export async function approvalsPage(
  reader: Reader,
  viewer: Viewer,
  filter: ApprovalFilter,
  position: { after: string; limit: number },
): Promise<{ rows: VisibleApprovalRow[]; cursor: string | null }> {
  const scan = filter.asked_of_me ? ofAsked : filter.room_id === null ? ofViewer : ofRoom
  const { rows, cursor } = await placedPage(reader, viewer, scan, filter, position)
  const count = countWithin(rows)
  if (count === rows.length) return { rows, cursor }
  return { rows: rows.slice(0, count), cursor: rows[count - 1]?.approval_id ?? null }
}

/** How many of the rows a page holds. */
function countWithin(rows: readonly VisibleApprovalRow[]): number {
  let bytes = 0
  const large = rows.findIndex(row => {
    bytes += row.arguments.length + (row.result === null ? 0 : JSON.stringify(row.result).length)
    return bytes >= pageBytes
  })
  return large < 0 ? rows.length : large + 1
}

const scans = placeScans<VisibleApprovalRow>({
  ...placedApprovals,
  columns: `${approvalColumnsSql('t', knownFieldOf('t', 'page.access_level'))}, page.access_level`,
  filter: `(:room_id::text is null or t.room_id = :room_id) and (not :asked_of_me::boolean or t.asked_of_user_id = :viewer_id)
    and (:status::text is null or ${approvalStatusSql('t')} = :status)`,
})

const ofViewer = scans.ofViewer('approvals_of_viewer')
const ofRoom = scans.having('approvals_of_room', 't.room_id = :room_id')
const ofAsked = scans.having('approvals_of_asked', 't.asked_of_user_id = :viewer_id')
