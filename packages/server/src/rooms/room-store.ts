import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { jsonTimeSql } from '../database/database-time.ts'
import { read, type Reader } from '../database/statement.ts'
import type { GuestFiles, Room } from './room.ts'
import { isKnownPersonSql, masksGuestsSql } from './visibility/masked-people-store.ts'
import { roomByIdSql } from './visibility/visible-rooms-store.ts'
import {
  viewerParameters,
  levelInSql,
  levelRowSql,
  canReadBusinessSql,
  participantLevelSql,
  asViewer,
  type Viewer,
  type ViewerSql,
} from './visibility/room-visibility-store.ts'

/** A Room as a viewer sees it: with their level, and with the names of only those resources that they can read. */
export interface RoomRow extends Room {
  workspace_id: string
  room_id: Id<'rom'>
  business_id: Id<'biz'> | null
  parent_id: Id<'rom'> | null
  /** Null if there is no parent. */
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
 * A Room that was opened for a change: it is locked, and the caller's level was checked under that lock. Functions that save
 * a Room require this type, and only room-access.ts returns it, so no Room is saved without the check.
 */
export type OpenedRoom<Level extends AccessLevel> = RoomRow & { readonly [level]: Level }

export interface AttachmentRow {
  attachment_id: string
  type: 'business' | 'list'
  id: string
  label: string | null
  attached_at: string
  /** Whether the Room hides whoever attached it from the viewer. */
  is_hidden: boolean
}

/** A Room that the viewer can see. */
export const roomById = (reader: Reader, viewer: Viewer, room_id: string): Promise<RoomRow | undefined> =>
  reader.one(visibleRoomById, { ...asViewer(viewer), room_id, reads_lists: viewer.reads_lists })

// Sub-rooms are invited_only by a constraint of the table, so only participants have a level in one.
const subRoomCountSql = (viewer: ViewerSql) => `(
  select count(*)::integer from rooms sub
  where sub.workspace_id = :workspace_id and sub.parent_id = r.id and sub.status = 'active' and ${participantLevelSql('sub', viewer)} is not null)`

/**
 * The columns of a RoomRow from the row `r`. Needs the joins `joinBusinessSql` and `joinParentSql`. `reads_lists` is whether
 * the viewer may know the names of the Lists of the Workspace.
 */
export const roomColumnsSql = (access_level: string, reads_lists: string, viewer = viewerParameters) => `
  r.workspace_id, r.id as room_id, r.business_id, r.parent_id, r.title, r.purpose, r.status, r.general_access,
  r.general_access_level, r.participant_visibility, r.guest_files, r.revision, r.created_at, r.updated_at, r.archived_at,
  ${access_level} as access_level,
  parent.status as parent_status, case when ${levelInSql('parent', viewer, 'its_business.can_read')} is not null then parent.title end as parent_title,
  ${subRoomCountSql(viewer)} as sub_room_count,
  coalesce((
    select jsonb_agg(jsonb_build_object(
        'attachment_id', a.id, 'type', a.type, 'id', a.resource_id,
        'label', case
          when a.type = 'business' and ${canReadBusinessSql('a.resource_id', viewer)} then business.name
          when a.type = 'list' and ${reads_lists} then (
            select list.name from lists list where list.workspace_id = :workspace_id and list.id = a.resource_id)
        end,
        'attached_at', ${jsonTimeSql('a.attached_at')},
        'is_hidden', not ${viewer.is_member} and ${masksGuestsSql('r', access_level)} and not ${isKnownPersonSql('a.attached_by', viewer.user_id)}
      ) order by a.id)
    from room_attachments a left join businesses business on a.type = 'business' and business.id = a.resource_id
    where a.workspace_id = :workspace_id and a.room_id = r.id
  ), '[]') as attachments`

/**
 * Checks the Business once for the Room and its parent, which have the same one: without `offset 0`, a Room takes as many buffers,
 * but 0.32 ms of the processor instead of 0.29.
 */
export const joinBusinessSql = (viewer = viewerParameters) =>
  `cross join lateral (select ${canReadBusinessSql('r.business_id', viewer)} as can_read offset 0) its_business`

export const joinParentSql = `left join lateral ${roomByIdSql('r.parent_id', 'parent')} on true`

const visibleRoomById = read<RoomRow>(
  'room_visible',
  `select ${roomColumnsSql('v.access_level', ':reads_lists::boolean')}
   from rooms r ${joinBusinessSql()} cross join lateral ${levelRowSql('r', viewerParameters, 'its_business.can_read')} as v (access_level) ${joinParentSql}
   where r.workspace_id = :workspace_id and r.id = :room_id and v.access_level is not null`,
)

/** Who sees the Files that guests bring into a Room. Unless it was chosen, it follows from who sees the guests. */
export const guestFilesOf = ({
  guest_files,
  participant_visibility,
}: Pick<Room, 'guest_files' | 'participant_visibility'>): GuestFiles =>
  guest_files ?? (participant_visibility === 'managers' ? 'uploader' : 'everyone')
