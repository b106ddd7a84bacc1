import { randomUUIDv7 } from 'node:crypto'
import { newId, type Id } from '@wbs/contract/ids'
import { updateRevision, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { Room } from './room.ts'
import { isMemberSql, type Viewer } from './visibility/room-visibility-store.ts'
import type { AttachmentRow, OpenedRoom, RoomRow } from './room-store.ts'

export interface NewRoom {
  title: string
  purpose: string | null
  business_id: Id<'biz'> | null
  parent: OpenedRoom<'full_access'> | null
  general_access: Room['general_access']
  general_access_level: Room['general_access_level']
}

/** Inserts a Room with the viewer as its first participant, with full access. */
export function insertRoom(tx: Transaction, viewer: Viewer, room: NewRoom, now: Date): RoomRow {
  const room_id = newId('rom', now.getTime())
  const { workspace_id, user_id } = viewer
  const { title, purpose, parent, general_access, general_access_level } = room
  const parent_id = parent && parent.room_id
  const business_id = parent ? parent.business_id : room.business_id
  tx.save(roomInsert, {
    workspace_id,
    room_id,
    business_id,
    parent_id,
    title,
    purpose,
    general_access,
    general_access_level,
    created_by: user_id,
    now,
  })
  tx.save(founderInsert, { workspace_id, room_id, participant_id: randomUUIDv7(), user_id, now })
  return {
    workspace_id,
    room_id,
    business_id,
    parent_id,
    title,
    purpose,
    status: 'active',
    general_access,
    general_access_level,
    participant_visibility: 'everyone',
    guest_files: null,
    revision: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    archived_at: null,
    access_level: 'full_access',
    parent_status: parent && parent.status,
    parent_title: parent && parent.title,
    sub_room_count: 0,
    attachments: [],
  }
}

/** Saves the settings and the status of a Room as a new revision. */
export function saveRoom<Row extends OpenedRoom<'full_access'>>(tx: Transaction, room: Row, now: Date): Row {
  const archived_at = room.status === 'archived' ? (room.archived_at ?? now.toISOString()) : null
  tx.save(roomSave, { ...room, now, archived_at })
  return { ...revised(room, now), archived_at }
}

/** Adds a new attachment, as a new revision of the Room. */
export function attach(
  tx: Transaction,
  { user_id }: Pick<Viewer, 'user_id'>,
  room: OpenedRoom<'edit'>,
  { type, id, label }: Pick<AttachmentRow, 'type' | 'id' | 'label'>,
  now: Date,
): RoomRow {
  const { workspace_id, room_id } = room
  const attachment_id = randomUUIDv7()
  tx.save(attachmentInsert, {
    workspace_id,
    room_id,
    attachment_id,
    type,
    resource_id: id,
    attached_by: user_id,
    now,
  })
  tx.save(roomTouch, { workspace_id, room_id, now, revision: room.revision })
  const attachment = { attachment_id, type, id, label, attached_at: now.toISOString(), is_hidden: false }
  const attachments = [...room.attachments, attachment].sort((a, b) =>
    a.attachment_id < b.attachment_id ? -1 : 1,
  )
  return { ...revised(room, now), attachments }
}

/** Removes an attachment, as a new revision of the Room. */
export function detach(tx: Transaction, room: OpenedRoom<'edit'>, attachment_id: string, now: Date): RoomRow {
  const { workspace_id, room_id } = room
  tx.save(attachmentDelete, { workspace_id, room_id, attachment_id })
  tx.save(roomTouch, { workspace_id, room_id, now, revision: room.revision })
  const attachments = room.attachments.filter(attachment => attachment.attachment_id !== attachment_id)
  return { ...revised(room, now), attachments }
}

/** The row of a locked Room after the statements below, which increase its revision. */
const revised = <Row extends RoomRow>(room: Row, now: Date): Row => ({
  ...room,
  revision: room.revision + 1,
  updated_at: now.toISOString(),
})

const roomInsert = write(
  'room_insert',
  `insert into rooms (workspace_id, id, business_id, parent_id, title, purpose, general_access, general_access_level, created_by, created_at, updated_at)
   values (:workspace_id, :room_id, :business_id, :parent_id, :title, :purpose, :general_access, :general_access_level, :created_by, :now, :now)`,
)

const founderInsert = write(
  'room_founder_insert',
  `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
   select :workspace_id, :room_id, :participant_id, :user_id, not ${isMemberSql(':user_id')}, 'full_access', 'active', :now, :now`,
)

const roomSave = updateRevision(
  'room_save',
  `update rooms set title = :title, purpose = :purpose, status = :status, general_access = :general_access, general_access_level = :general_access_level,
     participant_visibility = :participant_visibility, revision = revision + 1, updated_at = :now, archived_at = :archived_at, guest_files = :guest_files
   where workspace_id = :workspace_id and id = :room_id and revision = :revision`,
)

const roomTouch = updateRevision(
  'room_touch',
  'update rooms set revision = revision + 1, updated_at = :now where workspace_id = :workspace_id and id = :room_id and revision = :revision',
)

const attachmentInsert = write(
  'room_attachment_insert',
  `insert into room_attachments (workspace_id, room_id, id, type, resource_id, attached_by, attached_at)
   values (:workspace_id, :room_id, :attachment_id, :type, :resource_id, :attached_by, :now)`,
)

const attachmentDelete = write(
  'room_attachment_delete',
  'delete from room_attachments where workspace_id = :workspace_id and room_id = :room_id and id = :attachment_id',
)
