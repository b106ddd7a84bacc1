import { read, type Reader } from '../../database/statement.ts'
import { mostOpen } from './approval.ts'
import { isOpenSql } from './approval-store.ts'

/** Whether a Room has as many open approvals as it can have. */
export const hasMostOpen = async (reader: Reader, workspace_id: string, room_id: string): Promise<boolean> =>
  (await reader.one(lastOpen, { workspace_id, room_id })) !== undefined

const lastOpen = read<object>(
  'approval_last_open',
  `select from approvals t
   where t.workspace_id = :workspace_id and t.room_id = :room_id and ${isOpenSql('t')} and t.expires_at > statement_timestamp()
   offset ${mostOpen - 1} limit 1`,
)
