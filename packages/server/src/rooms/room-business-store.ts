import { read, type Reader } from '../database/statement.ts'
import { opens, viewerValues, type Viewer } from './room-visibility-store.ts'

export interface SeenBusiness {
  id: string
  name: string
  /** Its name, if everybody may know it. */
  public_name: string | null
}

/** A Business that the viewer can open. */
export const openableBusiness = (reader: Reader, viewer: Viewer, business_id: string) =>
  reader.one(businessSeen, [...viewerValues(viewer), business_id])

/** The same of the Business that an attachment of a Room points at. */
export const attachedBusiness = (
  reader: Reader,
  viewer: Viewer,
  { room_id, attachment_id }: { room_id: string; attachment_id: string },
) => reader.one(attachedBusinessSeen, [...viewerValues(viewer), room_id, attachment_id])

/**
 * The Rooms of a Workspace that have a published Business and are not archived, with its name as everybody reads it: the next
 * ones behind a Room, by their ids.
 */
export const roomsToTell = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
  { behind, limit }: { behind: string; limit: number },
) => reader.many(roomsOfPublished, [workspace_id, business_id, behind, limit])

const seenColumns = `b.id, b.name, case when b.publication_status = 'published' then b.name end as public_name`

const businessSeen = read<SeenBusiness>(
  'room_business_seen',
  `select ${seenColumns}
   from businesses b where b.id = $5 and ($2::uuid, $3::boolean) is not null and ${opens('b.id')}`,
)

const attachedBusinessSeen = read<SeenBusiness>(
  'room_attached_business_seen',
  `select ${seenColumns}
   from room_attachments a join businesses b on b.id = a.resource_id
   where a.workspace_id = $1 and a.room_id = $5 and a.id = $6 and a.type = 'business'
     and ($2::uuid, $3::boolean) is not null and ${opens('b.id')}`,
)

const roomsOfPublished = read<{ room_id: string; name: string }>(
  'rooms_of_published_business',
  `with those as (
     select r.id from rooms r where r.workspace_id = $1 and r.business_id = $2 and r.id > $3
     union
     select a.room_id from room_attachments a
     where a.workspace_id = $1 and a.type = 'business' and a.resource_id = $2 and a.room_id > $3
   )
   select r.id as room_id, published.name
   from those join rooms r on r.workspace_id = $1 and r.id = those.id
   join published_businesses published on published.id = $2
   where r.status = 'active'
   order by r.id limit $4`,
  'long',
)
