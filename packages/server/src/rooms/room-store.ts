import { randomUUIDv7 } from 'node:crypto'
import { newId, type Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { memberPermissions, type Authority } from '../call/permissions.ts'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Room } from './room.ts'
import {
  generalLevel,
  levelIn,
  opens,
  participantLevel,
  viewerValues,
  type Viewer,
} from './room-sight-store.ts'

/** A Room as somebody sees it: with their level in it, and of what it points at no more than they may know. */
export interface RoomRow extends Room {
  workspace_id: string
  room_id: Id<'rom'>
  business_id: Id<'biz'> | null
  parent_id: Id<'rom'> | null
  /** Null where there is no parent. */
  parent_status: 'active' | 'archived' | null
  parent_title: string | null
  access_level: AccessLevel
  revision: number
  created_at: string
  updated_at: string
  archived_at: string | null
  attachments: AttachmentRow[]
  sub_room_count: number
}

declare const level: unique symbol

/**
 * A Room that was opened for a change: locked, and the caller's level in it judged under that lock. The type is the
 * authority: what saves a Room accepts nothing weaker, and only openRoom (room-access.ts) hands it out.
 */
export type OpenedRoom<Level extends AccessLevel> = RoomRow & { readonly [level]: Level }

export interface AttachmentRow {
  attachment_id: string
  type: 'business' | 'list'
  id: string
  label: string | null
  attached_at: string
}

/** A Room that the viewer can see. */
export const roomById = (reader: Reader, viewer: Viewer, room_id: string): Promise<RoomRow | undefined> =>
  reader.one(roomSeen, [...viewerValues(viewer), room_id])

/** A page of the Rooms that the viewer can see, by id. */
export const roomsPage = (
  reader: Reader,
  viewer: Viewer,
  filter: {
    business_id: string | undefined
    parent_room_id: string | undefined
    status: string | undefined
    title: string | undefined
    after: string
    limit: number
  },
): Promise<RoomRow[]> =>
  reader.many(roomsSeen, [
    ...viewerValues(viewer),
    filter.business_id,
    filter.parent_room_id,
    filter.status,
    filter.title,
    filter.after,
    filter.limit,
  ])

/**
 * A Room that the viewer can see, locked against every other change of it: its parent first, which cannot be archived
 * meanwhile. Who sees it is asked when the locks are held, so that nobody acts on access they have just lost.
 */
export async function lockRoom(
  tx: Transaction,
  viewer: Viewer,
  room_id: string,
): Promise<RoomRow | undefined> {
  const [, , room] = await Promise.all([
    tx.run(parentLock, [viewer.workspace_id, room_id]),
    tx.run(roomLock, [viewer.workspace_id, room_id]),
    roomById(tx, viewer, room_id),
  ])
  return room
}

export type RoomState = Pick<RoomRow, 'status' | 'parent_status'> & { workspace_status: string }

/** The same, of a Room that nobody in particular looks at: locked, and whether it takes changes. */
export async function lockRoomState(
  tx: Transaction,
  workspace_id: string,
  room_id: string,
): Promise<RoomState | undefined> {
  const [, , , state] = await Promise.all([
    tx.run(workspaceKeep, [workspace_id]),
    tx.run(parentLock, [workspace_id, room_id]),
    tx.run(roomLock, [workspace_id, room_id]),
    tx.one(roomState, [workspace_id, room_id]),
  ])
  return state
}

export interface SeenBusiness {
  id: string
  /** Its name, if everybody may know it. */
  public_name: string | null
}

/** A Business that the viewer can open. */
export const openableBusiness = (reader: Reader, viewer: Viewer, business_id: string) =>
  reader.one(businessSeen, [...viewerValues(viewer), business_id])

export interface NewRoom {
  title: string
  purpose: string | null
  business_id: string | null
  parent: OpenedRoom<'full_access'> | null
  general_access: Room['general_access']
  general_access_level: Room['general_access_level']
}

/** Opens a new Room, with the viewer in full access. A parent takes full access, which its type says. */
export async function insertRoom(
  tx: Transaction,
  viewer: Viewer,
  room: NewRoom,
  now: Date,
): Promise<RoomRow> {
  const id = newId('rom', now.getTime())
  await Promise.all([
    tx.run(roomInsert, [
      viewer.workspace_id,
      id,
      room.parent ? room.parent.business_id : room.business_id,
      room.parent && room.parent.room_id,
      room.title,
      room.purpose,
      room.general_access,
      room.general_access_level,
      viewer.user_id,
      now,
    ]),
    tx.run(founderInsert, [viewer.workspace_id, id, randomUUIDv7(), viewer.user_id, now]),
  ])
  return (await roomById(tx, viewer, id)) as RoomRow
}

/** Saves what full access may change of a Room, as a new revision. */
export async function saveRoom(
  tx: Transaction,
  viewer: Viewer,
  room: OpenedRoom<'full_access'>,
  now: Date,
): Promise<RoomRow> {
  const { workspace_id, room_id, title, purpose, status } = room
  const { general_access, general_access_level, participant_visibility } = room
  await tx.run(roomSave, [
    workspace_id,
    room_id,
    title,
    purpose,
    status,
    general_access,
    general_access_level,
    participant_visibility,
    now,
  ])
  return (await roomById(tx, viewer, room_id)) as RoomRow
}

/** Adds an attachment, as a new revision of the Room. */
export async function attach(
  tx: Transaction,
  viewer: Viewer,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  resource: { type: 'business' | 'list'; id: string },
  now: Date,
): Promise<RoomRow> {
  await Promise.all([
    tx.run(attachmentInsert, [
      workspace_id,
      room_id,
      randomUUIDv7(),
      resource.type,
      resource.id,
      viewer.user_id,
      now,
    ]),
    tx.run(roomTouch, [workspace_id, room_id, now]),
  ])
  return (await roomById(tx, viewer, room_id)) as RoomRow
}

/** Takes an attachment out, as a new revision of the Room. */
export async function detach(
  tx: Transaction,
  viewer: Viewer,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  attachment_id: string,
  now: Date,
): Promise<RoomRow> {
  await Promise.all([
    tx.run(attachmentDelete, [workspace_id, room_id, attachment_id]),
    tx.run(roomTouch, [workspace_id, room_id, now]),
  ])
  return (await roomById(tx, viewer, room_id)) as RoomRow
}

/** Somebody else, as a viewer: a member with what their role gives them, or whoever was invited. */
export async function viewerById(reader: Reader, workspace_id: string, user_id: string): Promise<Viewer> {
  const member = await reader.one(membership, [workspace_id, user_id])
  return {
    workspace_id,
    user_id,
    is_member: member !== undefined,
    reads_businesses: member !== undefined && memberPermissions(member).has('businesses:read'),
  }
}

/** Why a member of the Workspace, or somebody invited, can open a Room: one row a reason. */
export const accessReasons = (reader: Reader, viewer: Viewer, room_id: string) =>
  reader.many(reasonsOfAccess, [...viewerValues(viewer), room_id])

export interface AccessReason {
  source: 'participant' | 'general_access_business' | 'general_access_workspace'
  level: AccessLevel
}

const seen = `
  select r.workspace_id, r.id as room_id, r.business_id, r.parent_id, r.title, r.purpose, r.status, r.general_access,
    r.general_access_level, r.participant_visibility, r.revision, r.created_at, r.updated_at, r.archived_at, v.access_level,
    parent.status as parent_status, case when ${levelIn('parent')} is not null then parent.title end as parent_title,
    (select count(*)::integer from rooms sub
     where sub.workspace_id = r.workspace_id and sub.parent_id = r.id and sub.status = 'active' and ${levelIn('sub')} is not null
    ) as sub_room_count,
    coalesce((
      select jsonb_agg(jsonb_build_object(
          'attachment_id', a.id, 'type', a.type, 'id', a.resource_id,
          'label', case when a.type = 'business' and ${opens('a.resource_id')} then business.name end,
          'attached_at', to_char(a.attached_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by a.id)
      from room_attachments a left join businesses business on a.type = 'business' and business.id = a.resource_id
      where a.workspace_id = r.workspace_id and a.room_id = r.id
    ), '[]') as attachments
  from rooms r
  cross join lateral (select ${levelIn('r')} as access_level) v
  left join rooms parent on parent.workspace_id = r.workspace_id and parent.id = r.parent_id
  where r.workspace_id = $1 and v.access_level is not null`

const roomSeen = read<RoomRow>('room_seen', `${seen} and r.id = $5`)

const roomsSeen = read<RoomRow>(
  'rooms_seen',
  `${seen} and ($5::text is null or r.business_id = $5) and ($6::text is null or r.parent_id = $6)
   and ($7::text is null or r.status = $7) and ($8::text is null or position(lower($8) in lower(r.title)) > 0)
   and r.id > $9
   order by r.id limit $10`,
)

const parentLock = write(
  'room_parent_lock',
  `select from rooms parent
   where parent.workspace_id = $1 and parent.id = (select r.parent_id from rooms r where r.workspace_id = $1 and r.id = $2)
   for share`,
)
const roomLock = write('room_lock', 'select from rooms where workspace_id = $1 and id = $2 for update')

// No harder than a new row of the Workspace locks it.
const workspaceKeep = write('room_workspace_keep', 'select from workspaces where id = $1 for key share')
const roomState = read<RoomState>(
  'room_state',
  `select r.status, parent.status as parent_status, w.status as workspace_status
   from rooms r join workspaces w on w.id = r.workspace_id
   left join rooms parent on parent.workspace_id = r.workspace_id and parent.id = r.parent_id
   where r.workspace_id = $1 and r.id = $2`,
)

const membership = read<Authority>(
  'room_viewer_membership',
  `select role, permissions from memberships where workspace_id = $1 and user_id = $2 and status = 'active'`,
)

const businessSeen = read<SeenBusiness>(
  'room_business_seen',
  `select b.id, case when b.publication_status = 'published' then b.name end as public_name
   from businesses b where b.id = $5 and ($2::uuid, $3::boolean) is not null and ${opens('b.id')}`,
)

const roomInsert = write(
  'room_insert',
  `insert into rooms (workspace_id, id, business_id, parent_id, title, purpose, general_access, general_access_level, created_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
)

const founderInsert = write(
  'room_founder_insert',
  `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
   select $1, $2, $3, $4, not exists (select from memberships m where m.workspace_id = $1 and m.user_id = $4 and m.status = 'active'),
     'full_access', 'active', $5, $5`,
)

const roomSave = write(
  'room_save',
  `update rooms set title = $3, purpose = $4, status = $5, general_access = $6, general_access_level = $7,
     participant_visibility = $8, revision = revision + 1, updated_at = $9,
     archived_at = case when $5 = 'archived' then coalesce(archived_at, $9) end
   where workspace_id = $1 and id = $2`,
)

const roomTouch = write(
  'room_touch',
  'update rooms set revision = revision + 1, updated_at = $3 where workspace_id = $1 and id = $2',
)

const attachmentInsert = write(
  'room_attachment_insert',
  `insert into room_attachments (workspace_id, room_id, id, type, resource_id, attached_by, attached_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

const attachmentDelete = write(
  'room_attachment_delete',
  'delete from room_attachments where workspace_id = $1 and room_id = $2 and id = $3',
)

const reasonsOfAccess = read<AccessReason>(
  'room_access_reasons',
  `select reason.source, reason.level from rooms r
   cross join lateral (
     values ('participant', ${participantLevel('r')}), ('general_access_' || r.general_access, ${generalLevel('r')})
   ) as reason (source, level)
   where r.workspace_id = $1 and r.id = $5 and reason.level is not null`,
)
