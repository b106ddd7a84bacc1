import { randomUUIDv7 } from 'node:crypto'
import { newId } from '@wbs/contract/ids'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Room } from './room.ts'
import { isMember, type Viewer } from './room-sight-store.ts'
import { roomById, type OpenedRoom, type RoomRow } from './room-store.ts'

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

const roomInsert = write(
  'room_insert',
  `insert into rooms (workspace_id, id, business_id, parent_id, title, purpose, general_access, general_access_level, created_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
)

const founderInsert = write(
  'room_founder_insert',
  `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
   select $1, $2, $3, $4, not ${isMember('$4')}, 'full_access', 'active', $5, $5`,
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
