import { Type as T } from 'typebox'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { roomReceipt } from '../receipts.ts'
import {
  component,
  dateTime,
  id,
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

export const RoomId = id('rom')

const statuses = ['active', 'archived'] as const

const audiences = ['invited_only', 'business', 'workspace'] as const

const visibilities = ['everyone', 'managers'] as const

/** How far general access reaches at most: full access is given to people, one by one. */
const generalLevels = ['view', 'edit'] as const

const Attachment = component(
  'RoomAttachment',
  open({
    attachment_id: uuid(),
    type: openSet(['business', 'list']),
    id: T.String({ description: 'The id of what is attached.' }),
    label: nullable(T.String({ description: 'Its name; null for a caller who cannot open it.' })),
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
    attachments: T.Array(Attachment),
    parent: T.Optional(
      open({
        room_id: RoomId,
        title: nullable(T.String({ description: 'Null for a caller who cannot open the parent.' })),
      }),
    ),
    sub_room_count: T.Integer({ description: 'Of active sub-rooms that the caller can open.' }),
  }),
)

const Title = lineOfText(200)

const Purpose = trimmedText({
  minLength: 1,
  maxLength: 2000,
  description: 'What the Room is for, in up to 2,000 code points.',
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

/** The types of its events, each with the feed that shows it. */
export const roomEvents = {
  'room.created': 'activity',
  'room.updated': 'activity',
  'room.access_changed': 'activity',
  'room.archived': 'activity',
  'room.restored': 'activity',
  'business.updated': 'activity',
} as const

export const createRoom = mutation('create_room', {
  ...roomMutation,
  http: 'POST /v1/rooms',
  summary: 'Open a Room, with the caller in full access.',
  description:
    'With a Business, everybody in the Workspace who may read Businesses can view it; without one it is for those who are invited. With parent_room_id it becomes a sub-room, which takes full access to the parent and takes over its Business: invited only, and one level deep.',
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
  summary: 'Read a Room.',
  input: { room_id: RoomId },
  output: { room: Room },
  problems: ['not_found'],
  tagged: 'r',
})

export const listRooms = query('list_rooms', {
  ...roomQuery,
  http: 'GET /v1/rooms',
  summary: 'List the Rooms that the caller can open.',
  description:
    'In the order of their ids. Somebody from outside the Workspace sees the Rooms they were invited to. A page may be short, or empty, and has_more true all the same, where a filter passed over much.',
  input: {
    business_id: T.Optional(id('biz')),
    parent_room_id: T.Optional(RoomId),
    status: T.Optional(oneOf(statuses)),
    title: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 200,
        description: 'A part of the title; case does not matter.',
      }),
    ),
    cursor: T.Optional(RoomId),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Room),
  problems: [],
})

export const updateRoom = mutation('update_room', {
  ...roomMutation,
  http: 'PATCH /v1/rooms/{room_id}',
  summary: 'Change the title, purpose or general access of an active Room.',
  description: 'Takes full access. A sub-room stays for those who are invited.',
  input: {
    room_id: RoomId,
    expected_revision: revision(),
    title: T.Optional(Title),
    purpose: T.Optional(nullable(Purpose)),
    general_access: T.Optional(
      oneOf(audiences, 'Who can open it besides its participants: business takes a Room with a Business.'),
    ),
    general_access_level: T.Optional(
      oneOf(generalLevels, 'How far they can go; view where it is not said. Not with invited_only.'),
    ),
    participant_visibility: T.Optional(
      oneOf(visibilities, 'managers: people from outside the Workspace do not see each other.'),
    ),
  },
  rules: [
    {
      rule: 'some',
      fields: ['title', 'purpose', 'general_access', 'general_access_level', 'participant_visibility'],
    },
  ],
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['room.updated', 'room.access_changed'],
})

export const archiveRoom = mutation('archive_room', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/archive',
  summary: 'Archive a Room: it can be read, and changed no more.',
  description: 'Takes full access. Its sub-rooms can be changed no more either, and keep their own status.',
  input: { room_id: RoomId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['room.archived'],
})

export const restoreRoom = mutation('restore_room', {
  ...roomMutation,
  http: 'POST /v1/rooms/{room_id}/restore',
  summary: 'Make an archived Room active again. Takes full access.',
  input: { room_id: RoomId, expected_revision: revision() },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['room.restored'],
})
