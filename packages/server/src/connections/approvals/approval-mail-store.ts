import { read, type Reader } from '../../database/statement.ts'
import { basisLastsSql } from '../../rooms/visibility/basis-store.ts'
import { placeLevelSql } from '../../rooms/visibility/place-visibility-store.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { placedApprovals } from './approval-visibility-store.ts'

/** What the mail about a requested approval says. */
export interface ApprovalToMail {
  email: string | null
  summary: string
  note: string | null
  connection_label: string
  workspace_name: string
  room_id: string
  room_title: string
  requested_by: string
  requester_name: string | null
  expires_at: string
}

/** The user who is asked for an approval. */
export const askedUser = async (
  reader: Reader,
  workspace_id: string,
  approval_id: string,
): Promise<string | undefined> => (await reader.one(askedOf, { workspace_id, approval_id }))?.asked_of_user_id

/**
 * An approval that the viewer is asked for, who can see it: it is pending, and what the viewer shared the connection by still
 * lasts.
 */
export const approvalToMail = (
  reader: Reader,
  viewer: Viewer,
  approval_id: string,
): Promise<ApprovalToMail | undefined> => reader.one(pendingApproval, { ...asViewer(viewer), approval_id })

const askedOf = read<{ asked_of_user_id: string }>(
  'approval_asked_user',
  'select asked_of_user_id from approvals where workspace_id = :workspace_id and id = :approval_id',
)

const pendingApproval = read<ApprovalToMail>(
  'approval_to_mail',
  `select u.email, a.summary, a.note, c.label as connection_label, w.name as workspace_name, a.room_id,
     r.title as room_title, a.requested_by, requester.name as requester_name, a.expires_at
   from approvals a
   join room_connections c on c.workspace_id = :workspace_id and c.id = a.connection_id
   join rooms r on r.workspace_id = :workspace_id and r.id = a.room_id
   join workspaces w on w.id = :workspace_id
   join users u on u.id = :viewer_id left join users requester on requester.id = a.requested_by
   where a.workspace_id = :workspace_id and a.id = :approval_id and a.asked_of_user_id = :viewer_id and c.shared_by = :viewer_id
     and a.status = 'pending' and a.expires_at > statement_timestamp() and c.status <> 'stopped' and w.status <> 'closed'
     and ${basisLastsSql('c')} and ${placeLevelSql('a', placedApprovals)} is not null`,
)
