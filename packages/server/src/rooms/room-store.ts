import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../database/statement.ts'
import type { Room } from './room.ts'
import { levelIn, opens, participantLevel, viewerValues, type Viewer } from './room-sight-store.ts'

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

// A sub-room is for those who take part in it: it has no general access. `offset 0` keeps PostgreSQL from working the level
// out twice, which is the most of what this costs.
const seen = `
  select r.workspace_id, r.id as room_id, r.business_id, r.parent_id, r.title, r.purpose, r.status, r.general_access,
    r.general_access_level, r.participant_visibility, r.revision, r.created_at, r.updated_at, r.archived_at, v.access_level,
    parent.status as parent_status, case when ${levelIn('parent')} is not null then parent.title end as parent_title,
    (select count(*)::integer from rooms sub
     where sub.workspace_id = r.workspace_id and sub.parent_id = r.id and sub.status = 'active' and ${participantLevel('sub')} is not null
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
  cross join lateral (select ${levelIn('r')} as access_level offset 0) v
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
