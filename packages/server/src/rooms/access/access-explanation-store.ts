import type { AccessLevel } from '@wbs/contract/scopes'
import { memberPermissions, type Authority } from '../../call/authority/permissions.ts'
import { read, type Reader } from '../../database/statement.ts'
import {
  generalLevelSql,
  participantLevelSql,
  viewerValues,
  type Viewer,
} from '../visibility/room-visibility-store.ts'

/** Any user as a viewer: a member with the permissions of their membership, or a guest. */
export async function viewerById(reader: Reader, workspace_id: string, user_id: string): Promise<Viewer> {
  const member = await reader.one(membership, [workspace_id, user_id])
  return {
    workspace_id,
    user_id,
    is_member: member !== undefined,
    reads_businesses: member !== undefined && memberPermissions(member).has('businesses:read'),
  }
}

export interface AccessReason {
  source: 'participant' | 'general_access_business' | 'general_access_workspace'
  level: AccessLevel
}

/** Why a user can open a Room: one row for each reason, with the level that it gives. */
export const explainAccess = (reader: Reader, viewer: Viewer, room_id: string) =>
  reader.many(reasonsOfAccess, [...viewerValues(viewer), room_id])

const membership = read<Authority>(
  'room_viewer_membership',
  `select role, permissions from memberships where workspace_id = $1 and user_id = $2 and status = 'active'`,
)

const reasonsOfAccess = read<AccessReason>(
  'room_access_reasons',
  `select reason.source, reason.level from rooms r
   cross join lateral (
     values ('participant', ${participantLevelSql('r')}), ('general_access_' || r.general_access, ${generalLevelSql('r')})
   ) as reason (source, level)
   where r.workspace_id = $1 and r.id = $5 and reason.level is not null`,
)
