import type { Role, Scope } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import { isActiveSql } from '../../rooms/visibility/room-visibility-store.ts'

/** What somebody for whom a URL was made may do in the Workspace now. */
export interface PartSender {
  workspace_status: 'active' | 'suspended' | 'closed'
  /** Null without a membership. */
  role: Role | null
  permissions: Record<string, boolean> | null
  is_guest: boolean
  /** Of the API key with which the URL was asked for; null without a key, and if the key is not valid any more. */
  scopes: Scope[] | null
  allowed_cidrs: string[] | null
}

export const partSender = (
  reader: Reader,
  { workspace_id, user_id, key_id }: { workspace_id: string; user_id: string; key_id: string | null },
): Promise<PartSender | undefined> => reader.one(senderOfPart, [workspace_id, user_id, key_id])

const senderOfPart = read<PartSender>(
  'part_sender',
  `select w.status as workspace_status, m.role, m.permissions, k.scopes, k.allowed_cidrs::text[] as allowed_cidrs,
     exists (
       select from room_participants part
       where part.workspace_id = $1 and part.user_id = $2 and part.as_guest and ${isActiveSql('part')}) as is_guest
   from workspaces w
   left join memberships m on m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'
   left join api_keys k on k.workspace_id = $1 and k.id = $3::uuid and k.owner_user_id = $2 and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > statement_timestamp())
   where w.id = $1`,
)
