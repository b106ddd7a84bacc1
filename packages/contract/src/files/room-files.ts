import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { roomReceipt, type ReceiptShape } from '../receipts.ts'
import { id, nullable, oneOf, revision, trimmedText } from '../schema.ts'
import { FileId, FileName, IndexPath } from './files.ts'
import { RoomFile, RoomFileId, roomFileStatuses } from './room-file-schema.ts'

/** The receipt of operations under /v1/room-files. It has the name of the operation under both keys. */
export const roomFileReceipt = {
  key: 'action_receipt',
  names: ['operation', 'action'],
} as const satisfies ReceiptShape

const common = { tag: 'Room files', audience: 'workspace', guests: true } as const

const reading = { ...common, scope: 'files:read' } as const

/** What every change of a RoomFile declares. */
const roomFileMutation = {
  ...common,
  scope: 'files:write',
  receipt: roomFileReceipt,
  output: { room_file: RoomFile },
  tagged: 'r',
} as const

/** The types of its events, and the feed that shows each. */
export const roomFileEvents = {
  'file.added_to_room': activity(),
  'file.removed_from_room': activity(),
} as const

export const attachRoomFile = mutation('attach_room_file', {
  ...roomFileMutation,
  receipt: roomReceipt,
  http: 'POST /v1/rooms/{room_id}/files',
  summary: 'Attach a File to a Room.',
  description:
    'Requires edit access to the Room and full access to the File, because everybody in the Room can then open it. The File must be ready. The Room always shows its newest ready version. Attaching a File that the Room has already changes nothing. A Room has at most 20,000 Files, and a File is in at most 100 Rooms.',
  input: { room_id: id('rom'), file_id: FileId, index_path: T.Optional(IndexPath) },
  status: 201,
  status_if_found: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['file.added_to_room'],
})

export const listRoomFiles = query('list_room_files', {
  ...reading,
  http: 'GET /v1/rooms/{room_id}/files',
  summary: 'List the Files of a Room.',
  description:
    'The list has the Files that you can open, sorted by index_path. Archived ones are listed with status=archived only, for those who may edit them.',
  input: {
    room_id: id('rom'),
    status: T.Optional(
      oneOf(roomFileStatuses, 'Only Files with this status. By default, pending and active.'),
    ),
    under: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 1000,
        description: 'Only Files below this place in the index, which is a path without a slash at its end.',
        example: 'Financials/2025',
      }),
    ),
    cursor: T.Optional(
      T.String({
        minLength: 1,
        maxLength: 8000,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'The page.cursor of the previous page.',
        examples: [
          'WyJGaW5hbmNpYWxzLzIwMjUvUHJvZml0IGFuZCBsb3NzIDIwMjUubWQiLCJyZmxfMDFKRDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAiXQ',
        ],
      }),
    ),
    limit: T.Optional(pageLimit),
  },
  output: listOf(RoomFile),
  problems: ['validation_error', 'not_found'],
})

export const getRoomFile = query('get_room_file', {
  ...reading,
  http: 'GET /v1/room-files/{room_file_id}',
  summary: 'Retrieve a File in a Room.',
  input: { room_file_id: RoomFileId },
  output: { room_file: RoomFile },
  problems: ['not_found'],
  tagged: 'r',
})

export const updateRoomFile = mutation('update_room_file', {
  ...roomFileMutation,
  http: 'PATCH /v1/room-files/{room_file_id}',
  summary: 'Update the place, the display name or the access mode of a File in a Room.',
  description:
    'Requires edit access to the File in the Room. Setting access_mode to inherit_room requires full access: everybody in the Room can then open the File, and its permissions are revoked.',
  input: {
    room_file_id: RoomFileId,
    expected_revision: revision(),
    index_path: T.Optional(IndexPath),
    display_name: T.Optional(nullable(FileName)),
    access_mode: T.Optional(
      oneOf(['inherit_room'], 'Removes the restriction. To restrict a File, grant a permission on it.'),
    ),
  },
  rules: [{ rule: 'some', fields: ['index_path', 'display_name', 'access_mode'] }],
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['file.updated'],
})

export const archiveRoomFile = mutation('archive_room_file', {
  ...roomFileMutation,
  http: 'POST /v1/room-files/{room_file_id}/archive',
  summary: 'Remove a File from a Room.',
  description:
    'Requires edit access to the File in the Room. The File leaves the Room; the File itself and its versions are not deleted.',
  input: { room_file_id: RoomFileId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['file.removed_from_room'],
})

export const restoreRoomFile = mutation('restore_room_file', {
  ...roomFileMutation,
  http: 'POST /v1/room-files/{room_file_id}/restore',
  summary: 'Return an archived File to a Room.',
  description:
    'Requires edit access to the File in the Room. The File must be active, and not be in the Room by another attachment.',
  input: { room_file_id: RoomFileId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict', 'limit_reached'],
  emits: ['file.added_to_room'],
})
