import { listApprovals } from '@wbs/contract/connections/approvals'
import { implement } from '../../call/implement.ts'
import { requireRoomOfFilter } from '../../rooms/place-access.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { approvalsPage } from './approval-page-store.ts'
import { presentApproval } from './approval-view.ts'

export const handleListApprovals = implement(listApprovals, async function listApprovals(input, context) {
  const { room_id, status = null, asked_of, cursor: after = '', limit = 20 } = input
  await requireRoomOfFilter(context, room_id)
  const filter = { room_id: room_id ?? null, status, asked_of_me: asked_of === 'me' }
  const { rows, cursor } = await approvalsPage(context.read, viewerOf(context), filter, { after, limit })
  return { result: { data: rows.map(presentApproval), page: { cursor, has_more: cursor !== null } } }
})
