import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, nullable, oneOf, open, openSet, uuid, uuidCursor } from '../schema.ts'
import { accessLevels } from '../scopes.ts'
import { RoomFileId } from './room-file-schema.ts'
import { roomFileReceipt } from './room-files.ts'

export const RoomFilePermission = component(
  'RoomFilePermission',
  open({
    permission_id: uuid(),
    room_file_id: RoomFileId,
    user_id: uuid(),
    email: nullable(T.String()),
    access_level: openSet(accessLevels),
    status: openSet(['active', 'revoked']),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const common = { tag: 'Room files', audience: 'workspace', guests: true } as const

const permissionMutation = {
  ...common,
  scope: 'rooms:share',
  receipt: roomFileReceipt,
  status: 200,
} as const

/** The types of its events, and the feed that shows each. */
export const roomFilePermissionEvents = {
  'file.permission_set': activity({ access_level: openSet(accessLevels) }),
  'file.permission_revoked': activity({ access_level: openSet(accessLevels) }),
} as const

export const listRoomFilePermissions = query('list_room_file_permissions', {
  ...common,
  scope: 'files:read',
  http: 'GET /v1/room-files/{room_file_id}/permissions',
  summary: 'List the permissions on a File in a Room.',
  description: 'Requires full access to the File in the Room. Lists the active permissions.',
  input: {
    room_file_id: RoomFileId,
    cursor: T.Optional(uuidCursor()),
    limit: T.Optional(pageLimit),
  },
  output: listOf(RoomFilePermission),
  problems: ['forbidden', 'not_found'],
})

export const setRoomFilePermission = mutation('set_room_file_permission', {
  ...permissionMutation,
  http: 'POST /v1/room-files/{room_file_id}/permissions',
  summary: 'Grant a user a permission on a File in a Room.',
  description:
    'Requires full access to the File in the Room. The user must be able to open the Room. The first permission restricts the File: from then on, only users with a permission and those with full access to the Room can open it there. An earlier permission of the user is replaced. It ends with the participation or the membership by which the user can open the Room.',
  input: {
    room_file_id: RoomFileId,
    user_id: uuid('The ID of the user.'),
    access_level: oneOf(accessLevels, 'The level to grant.'),
  },
  output: {
    permission: RoomFilePermission,
    affected_participants: T.Integer({
      description: 'How many people who could open the File in this Room no longer can.',
    }),
  },
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['file.permission_set'],
})

export const revokeRoomFilePermission = mutation('revoke_room_file_permission', {
  ...permissionMutation,
  http: 'POST /v1/room-files/{room_file_id}/permissions/{permission_id}/revoke',
  summary: 'Revoke a permission on a File in a Room.',
  description:
    'Requires full access to the File in the Room. The File stays restricted, also without any permission.',
  input: { room_file_id: RoomFileId, permission_id: uuid('The ID of the permission.') },
  output: { permission: RoomFilePermission },
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['file.permission_revoked'],
})
