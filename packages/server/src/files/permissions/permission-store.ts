import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import { permissionLastsSql } from '../../rooms/visibility/room-file-visibility-store.ts'
import {
  isActiveSql,
  isMemberSql,
  membershipLastsSql,
  type Viewer,
} from '../../rooms/visibility/room-visibility-store.ts'
import type { RoomFileRow, RoomOfFile } from '../room-files/room-file-store.ts'

/** A permission of a user on a File in a Room. */
export interface PermissionRow {
  workspace_id: string
  permission_id: string
  room_file_id: Id<'rfl'>
  user_id: string
  email: string | null
  name: string | null
  access_level: AccessLevel
  /** Revoked too if it ended with the participation or membership by which the user could open the Room. */
  status: 'active' | 'revoked'
  participant_id: string | null
  membership_id: string | null
  created_at: string
  updated_at: string
}

/** Names a File in a Room. */
type RoomFileKey = Pick<RoomFileRow, 'workspace_id' | 'room_file_id'>

/** The File in a Room that a permission is, or was, about. */
export const roomFileOfPermission = (reader: Reader, workspace_id: string, permission_id: string) =>
  reader.one(roomFileByPermission, { workspace_id, permission_id })

const visibleTo = ({ workspace_id, room_file_id }: RoomFileKey, room: RoomOfFile, user_id: string) => ({
  workspace_id,
  room_file_id,
  sees_all: room.shows_participants,
  viewer_id: user_id,
})

/** A page of the permissions in force on a File in a Room, for users whom the viewer can see there, by id. */
export const permissionsPage = (
  reader: Reader,
  viewer: Pick<Viewer, 'user_id'>,
  room: RoomOfFile,
  room_file: RoomFileKey,
  { after, limit }: { after: string | null; limit: number },
) => reader.many(permissionsInForce, { ...visibleTo(room_file, room, viewer.user_id), after, limit })

/** A permission on a File in a Room, of a user whom the viewer can see there. */
export const permissionById = (
  reader: Reader,
  viewer: Pick<Viewer, 'user_id'>,
  room: RoomOfFile,
  room_file: RoomFileKey,
  permission_id: string,
) => reader.one(visiblePermission, { ...visibleTo(room_file, room, viewer.user_id), permission_id })

/** The last permission of a user on a File in a Room that was not revoked, and how many are in force on it. */
export async function permissionOfUser(
  reader: Reader,
  { workspace_id, room_file_id }: RoomFileKey,
  user_id: string,
): Promise<{ before: PermissionRow | undefined; count: number }> {
  const [before, count] = await Promise.all([
    reader.one(permissionByUser, { workspace_id, room_file_id, user_id }),
    reader.one(permissionCount, { workspace_id, room_file_id }),
  ])
  return { before, count: count?.count ?? 0 }
}

/** How many participants of a Room, apart from one, have less than full access to it. */
export async function countParticipantsShutOut(
  reader: Reader,
  { workspace_id, room_id }: { workspace_id: string; room_id: string },
  except: string,
): Promise<number> {
  return (await reader.one(participantsShutOut, { workspace_id, room_id, user_id: except }))?.count ?? 0
}

const columns = `g.workspace_id, g.id as permission_id, g.room_file_id, g.user_id, u.email, u.name, g.access_level,
  case when ${permissionLastsSql('g')} then 'active' else 'revoked' end as status, g.participant_id, g.membership_id, g.created_at,
  g.updated_at`
const ofRoomFile = `room_file_permissions g join users u on u.id = g.user_id
  where g.workspace_id = :workspace_id and g.room_file_id = :room_file_id`

/** Whether the viewer can see the user: `:sees_all` if they see all participants of the Room. */
const isOfVisibleUserSql = `(:sees_all::boolean or g.user_id = :viewer_id or ${isMemberSql('g.user_id')})`

const roomFileByPermission = read<{ room_file_id: string }>(
  'room_file_of_permission',
  'select room_file_id from room_file_permissions where workspace_id = :workspace_id and id = :permission_id',
)

const permissionsInForce = read<PermissionRow>(
  'room_file_permissions',
  `select ${columns} from ${ofRoomFile} and ${isOfVisibleUserSql} and ${permissionLastsSql('g')}
     and (:after::uuid is null or g.id > :after)
   order by g.id limit :limit`,
  'long',
)

const visiblePermission = read<PermissionRow>(
  'room_file_permission_visible',
  `select ${columns} from ${ofRoomFile} and ${isOfVisibleUserSql} and g.id = :permission_id`,
)

const permissionByUser = read<PermissionRow>(
  'room_file_permission_of_user',
  `select ${columns} from ${ofRoomFile} and g.user_id = :user_id and g.status = 'active'`,
)

const permissionCount = read<{ count: number }>(
  'room_file_permissions_count',
  `select count(*)::integer as count from room_file_permissions g
   where g.workspace_id = :workspace_id and g.room_file_id = :room_file_id and ${permissionLastsSql('g')}`,
)

// A member who takes part in the Room has a participation that ends with their membership; a guest's has none.
// General access gives less than full access, so only the level of the participation counts.
const participantsShutOut = read<{ count: number }>(
  'room_file_shut_out',
  `select count(*)::integer as count from room_participants p
   where p.workspace_id = :workspace_id and p.room_id = :room_id and p.user_id <> :user_id and p.access_level < 'full_access'
     and ${isActiveSql('p')} and ${membershipLastsSql('p')}`,
)
