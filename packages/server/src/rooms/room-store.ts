import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../database/statement.ts'
import type { Room } from './room.ts'
import { roomOf } from './room-reach-store.ts'
import {
  asked,
  levelIn,
  opens,
  participantLevel,
  viewerValues,
  type Viewer,
  type ViewerSql,
} from './room-visibility-store.ts'

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

const levelOf = (room: string, viewer = asked) => levelIn(room, viewer, 'its_business.opened')

// A sub-room is for those who are invited, as its table sees to: nothing but taking part gives a level in one.
const subRoomCount = (viewer: ViewerSql) => `(
  select count(*)::integer from rooms sub
  where sub.workspace_id = $1 and sub.parent_id = r.id and sub.status = 'active' and ${participantLevel('sub', viewer)} is not null)`

/** What somebody with a level in the Room `r` sees of it, joined `withBusiness` and `withParent`. */
export const roomColumns = (access_level: string, viewer = asked) => `
  r.workspace_id, r.id as room_id, r.business_id, r.parent_id, r.title, r.purpose, r.status, r.general_access,
  r.general_access_level, r.participant_visibility, r.revision, r.created_at, r.updated_at, r.archived_at,
  ${access_level} as access_level,
  parent.status as parent_status, case when ${levelOf('parent', viewer)} is not null then parent.title end as parent_title,
  ${subRoomCount(viewer)} as sub_room_count,
  coalesce((
    select jsonb_agg(jsonb_build_object(
        'attachment_id', a.id, 'type', a.type, 'id', a.resource_id,
        'label', case when a.type = 'business' and ${opens('a.resource_id', viewer)} then business.name end,
        'attached_at', to_char(a.attached_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) order by a.id)
    from room_attachments a left join businesses business on a.type = 'business' and business.id = a.resource_id
    where a.workspace_id = $1 and a.room_id = r.id
  ), '[]') as attachments`

/** A Room and its parent have the same Business, so it is looked up once for both: this statement costs more to set up than to run. */
export const withBusiness = (viewer = asked) =>
  `cross join lateral (select ${opens('r.business_id', viewer)} as opened offset 0) its_business`

export const withParent = `left join lateral ${roomOf('r.parent_id', 'parent')} on true`

const roomSeen = read<RoomRow>(
  'room_seen',
  `select ${roomColumns('v.access_level')}
   from rooms r ${withBusiness()} cross join lateral (select ${levelOf('r')} as access_level offset 0) v ${withParent}
   where r.workspace_id = $1 and r.id = $5 and v.access_level is not null`,
)
