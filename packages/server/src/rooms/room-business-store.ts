import { read, type Reader } from '../database/statement.ts'
import { hasBusiness, opens, viewerValues, type Viewer } from './room-sight-store.ts'

export interface SeenBusiness {
  id: string
  /** Its name, if everybody may know it. */
  public_name: string | null
}

/** A Business that the viewer can open. */
export const openableBusiness = (reader: Reader, viewer: Viewer, business_id: string) =>
  reader.one(businessSeen, [...viewerValues(viewer), business_id])

/** The Rooms of a Workspace that have a published Business and are not archived, with its name as everybody reads it. */
export const roomsToTell = (reader: Reader, workspace_id: string, business_id: string) =>
  reader.many(roomsOfPublished, [workspace_id, business_id])

const businessSeen = read<SeenBusiness>(
  'room_business_seen',
  `select b.id, case when b.publication_status = 'published' then b.name end as public_name
   from businesses b where b.id = $5 and ($2::uuid, $3::boolean) is not null and ${opens('b.id')}`,
)

const roomsOfPublished = read<{ room_id: string; name: string }>(
  'rooms_of_published_business',
  `select r.id as room_id, published.name
   from rooms r join published_businesses published on published.id = $2
   where r.workspace_id = $1 and r.status = 'active' and ${hasBusiness('r', '$2')}
   order by r.id`,
)
