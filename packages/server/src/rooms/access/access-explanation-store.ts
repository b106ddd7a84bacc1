import type { AccessLevel, Scope } from '@wbs/contract/scopes'
import { memberPermissions, type Authority } from '../../call/authority/permissions.ts'
import { read, type Reader } from '../../database/statement.ts'
import {
  isOpenInRoomSql,
  permissionLevelSql,
  roomFileLevelRowSql,
} from '../visibility/room-file-visibility-store.ts'
import { roomByIdSql } from '../visibility/visible-rooms-store.ts'
import {
  asViewer,
  generalLevelSql,
  levelRowSql,
  participantLevelSql,
  type Viewer,
} from '../visibility/room-visibility-store.ts'

/** Any user as a viewer: a member with the permissions of their membership, or a guest. */
export const viewerById = async (reader: Reader, workspace_id: string, user_id: string): Promise<Viewer> =>
  (await userInWorkspace(reader, workspace_id, user_id)).viewer

/** Any user as a viewer, and their permissions if they are a member. */
export async function userInWorkspace(
  reader: Reader,
  workspace_id: string,
  user_id: string,
): Promise<{ viewer: Viewer; permissions: ReadonlySet<Scope> | null }> {
  const member = await reader.one(membership, { workspace_id, user_id })
  const permissions = member ? memberPermissions(member) : null
  const may = (scope: Scope) => permissions !== null && permissions.has(scope)
  return {
    viewer: {
      workspace_id,
      user_id,
      is_member: permissions !== null,
      reads_businesses: may('businesses:read'),
      reads_lists: may('lists:read'),
    },
    permissions,
  }
}

export interface AccessReason {
  source: 'participant' | 'general_access_business' | 'general_access_workspace' | 'permission'
  level: AccessLevel
}

/** Why a user can open a File in a Room. To a restricted File, only a permission and full access to the Room count. */
export interface FileAccessReason extends AccessReason {
  counts: boolean
}

/** Why a user can open a Room: one row for each reason, with the level that it gives. */
export const explainAccess = (reader: Reader, viewer: Viewer, room_id: string) =>
  reader.many(reasonsOfAccess, { ...asViewer(viewer), room_id })

/** The same for a File in a Room. No row if it is not in the Room, one without a source if there is no reason. */
export const explainFileAccess = (
  reader: Reader,
  viewer: Viewer,
  { room_id, room_file_id }: { room_id: string; room_file_id: string },
): Promise<FileAccessRow[]> =>
  reader.many(reasonsOfFileAccess, { ...asViewer(viewer), room_id, room_file_id })

type FileAccessRow = { effective_level: AccessLevel | null } & (
  | FileAccessReason
  | { [K in keyof FileAccessReason]: null }
)

const membership = read<Authority>(
  'room_viewer_membership',
  `select role, permissions from memberships where workspace_id = :workspace_id and user_id = :user_id and status = 'active'`,
)

const ofRoomSql = `('participant', ${participantLevelSql('r')}), ('general_access_' || r.general_access, ${generalLevelSql('r')})`

const reasonsOfAccess = read<AccessReason>(
  'room_access_reasons',
  `select reason.source, reason.level from rooms r
   cross join lateral (values ${ofRoomSql}) as reason (source, level)
   where r.workspace_id = :workspace_id and r.id = :room_id and reason.level is not null`,
)

const reasonsOfFileAccess = read<FileAccessRow>(
  'room_file_access_reasons',
  `select there.access_level as effective_level, reason.source, reason.level,
     there.access_level is not null and (
       reason.source = 'permission' or reason.level = 'full_access' or ${isOpenInRoomSql('rf', 'r', ':viewer_id')}) as counts
   from room_files rf cross join lateral ${roomByIdSql('rf.room_id', 'r')}
   cross join lateral ${levelRowSql('r')} as in_room (room_level)
   cross join lateral ${roomFileLevelRowSql('rf', 'r', 'in_room.room_level')} as there (access_level)
   left join lateral (values ${ofRoomSql}, ('permission', ${permissionLevelSql('rf')})) as reason (source, level)
     on reason.level is not null
   where rf.workspace_id = :workspace_id and rf.room_id = :room_id and rf.id = :room_file_id`,
)
