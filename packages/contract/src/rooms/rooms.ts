import { T } from '../json/type.ts'
import { activity, changed } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { roomReceipt } from '../receipts.ts'
import {
  component,
  dateTime,
  id,
  idCursor,
  lineOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  trimmedText,
  uuid,
} from '../schema.ts'
import { accessLevels } from '../scopes.ts'
import { stateMachine } from '../state-machine.ts'

export const RoomId = id('rom')

const statuses = ['active', 'archived'] as const

/** A sub-room also accepts no change while its parent is archived. Its own status stays the same. */
export const roomMachine = stateMachine(statuses, 'active', {
  update: { active: 'active' },
  archive: { active: 'archived', archived: 'archived' },
  restore: { archived: 'active' },
})

const audiences = ['invited_only', 'business', 'workspace'] as const

const visibilities = ['everyone', 'managers'] as const

const guestFiles = ['uploader', 'everyone'] as const

/** The levels of general access. Full access is granted to participants only. */
const generalLevels = ['view', 'edit'] as const

const Attachment = component(
  'RoomAttachment',
  open({
    attachment_id: uuid(),
    type: openSet(['business', 'list']),
    id: T.String({ description: 'The ID of the Business or List.' }),
    label: nullable(
      T.String({ description: 'The name of the Business or List. Null if you cannot open it.' }),
    ),
    attached_at: dateTime(),
  }),
)

export const Room = component(
  'Room',
  open({
    room_id: RoomId,
    business_id: T.Optional(id('biz')),
    title: T.String(),
    purpose: nullable(T.String()),
    status: openSet(statuses),
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
    archived_at: nullable(dateTime()),
    access_level: openSet(accessLevels),
    general_access: openSet(audiences),
    general_access_level: nullable(openSet(generalLevels)),
    participant_visibility: openSet(visibilities),
    // Answers that were stored before it was added are repeated without it.
    guest_files: T.Optional(openSet(guestFiles)),
    attachments: T.Array(Attachment),
    parent: T.Optional(
      open({
        room_id: RoomId,
        title: nullable(T.String({ description: 'Null if you cannot open the parent.' })),
      }),
    ),
    sub_room_count: T.Integer({ description: 'The number of active sub-rooms that you can open.' }),
  }),
)

const Title = lineOfText(200, { description: 'The title of the Room.', example: 'Project Glacier' })

const Purpose = trimmedText({
  minLength: 1,
  maxLength: 2000,
  description: 'What the Room is for.',
  example: 'Due diligence for the sale of Glacier Tooling.',
})

const common = { tag: 'Rooms', audience: 'workspace', guests: true } as const

/** What every query of Rooms declares. */
export const roomQuery = { ...common, scope: 'rooms:read' } as const

/** What every change of a Room declares. */
export const roomMutation = {
  ...common,
  scope: 'rooms:write',
  receipt: roomReceipt,
  output: { room: Room },
  tagged: 'r',
} as const

/** The types of its events, and the feed that shows each. */
export const roomEvents = {
  'room.created': activity(),
  'room.updated': activity({ changed: changed() }),
  'room.access_changed': activity({ changed: changed() }),
  'room.archived': activity(),
  'room.restored': activity(),
  'business.updated': activity({ changed: changed() }),
} as const

export const createRoom = mutation('create_room', {
  ...roomMutation,
  http: 'POST /v1/rooms',
  summary: 'Create a Room.',
  description:
    'You get full access to the Room. With business_id, every member of the Workspace who may read Businesses can view it; without, only the people you invite can open it. With parent_room_id, the Room becomes a sub-room: you need full access to the parent, the sub-room has the Business of its parent, only invited people can open it, and it cannot have sub-rooms of its own.',
  input: {
    title: Title,
    purpose: T.Optional(nullable(Purpose)),
    business_id: T.Optional(id('biz')),
    parent_room_id: T.Optional(RoomId),
  },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict'],
  emits: ['room.created'],
})

export const getRoom = query('get_room', {
  ...roomQuery,
  http: 'GET /v1/rooms/{room_id}',
  summary: 'Retrieve a Room.',
  input: { room_id: RoomId },
  output: { room: Room },
  problems: ['not_found'],
  tagged: 'r',
})

export const listRooms = query('list_rooms', {
  ...roomQuery,
  http: 'GET /v1/rooms',
  summary: 'List the Rooms that you can open.',
  description:
    'The list is sorted by ID. If you are not a member of the Workspace, it has the Rooms to which you were invited. With a filter, a page may have fewer items than limit, or none; continue while has_more is true.',
  input: {
    business_id: T.Optional(id('biz')),
    parent_room_id: T.Optional(RoomId),
    status: T.Optional(oneOf(statuses, 'Only Rooms with this status.')),
    title: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 200,
        description: 'A part of the title. Case is ignored.',
        example: 'Glacier',
      }),
    ),
    cursor: T.Optional(idCursor('rom')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Room),
  problems: [],
})

export const updateRoom = mutation('update_room', {
  ...roomMutation,
  http: 'PATCH /v1/rooms/{room_id}',
  summary: 'Update the title, purpose or general access of an active Room.',
  description: 'Requires full access to the Room. The general_access of a sub-room is always invited_only.',
  input: {
    room_id: RoomId,
    expected_revision: revision(),
    title: T.Optional(Title),
    purpose: T.Optional(nullable(Purpose)),
    general_access: T.Optional(
      oneOf(
        audiences,
        'Who can open the Room besides its participants. Only a Room with a Business can have the value business.',
      ),
    ),
    general_access_level: T.Optional(
      oneOf(
        generalLevels,
        'The level that general access gives. By default it is view. Not allowed with invited_only.',
      ),
    ),
    participant_visibility: T.Optional(
      oneOf(visibilities, 'With managers, participants from outside the Workspace do not see each other.'),
    ),
    guest_files: T.Optional(
      oneOf(
        guestFiles,
        'Who sees the Files that guests without full access bring into the Room. With uploader, only the guest who brought a File and those with full access to the Room, until one of these sets the access_mode of the RoomFile to inherit_room or grants a permission on it; and guests change only Files that they brought themselves. Until you choose, it is uploader if participant_visibility is managers, and otherwise everyone. It applies at once to Files that are there already.',
      ),
    ),
  },
  rules: [
    {
      rule: 'some',
      fields: [
        'title',
        'purpose',
        'general_access',
        'general_access_level',
        'participant_visibility',
        'guest_files',
      ],
    },
  ],
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['room.updated', 'room.access_changed'],
})

export const archiveRoom = mutation('archive_room', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/archive',
  summary: 'Archive a Room.',
  description:
    'Requires full access to the Room. An archived Room is read-only, and so are its sub-rooms, whose own status does not change.',
  input: { room_id: RoomId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['room.archived'],
})

export const restoreRoom = mutation('restore_room', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/restore',
  summary: 'Restore an archived Room.',
  description: 'Requires full access to the Room. The Room becomes active again.',
  input: { room_id: RoomId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['room.restored'],
})
