import { read, type Reader } from '../../database/statement.ts'
import { asViewer, canReadBusinessSql, type Viewer } from '../visibility/room-visibility-store.ts'

export interface ReadableBusiness {
  id: string
  name: string
  /** The name if the Business is published, else null. */
  public_name: string | null
}

/** A Business that the viewer can read. */
export const readableBusiness = (reader: Reader, viewer: Viewer, business_id: string) =>
  reader.one(businessById, { ...asViewer(viewer), business_id })

/** The Business of an attachment, if the viewer can read it. */
export const readableAttachedBusiness = (
  reader: Reader,
  viewer: Viewer,
  { room_id, attachment_id }: { room_id: string; attachment_id: string },
) => reader.one(attachedBusinessById, { ...asViewer(viewer), room_id, attachment_id })

/** The active Rooms of a Workspace with a published Business, in the order of their ids, and the published name. */
export const roomsToNotify = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
  { after, limit }: { after: string; limit: number },
) => reader.many(roomsOfPublished, { workspace_id, business_id, after, limit })

const businessColumns = `b.id, b.name, case when b.publication_status = 'published' then b.name end as public_name`

const businessById = read<ReadableBusiness>(
  'room_business_readable',
  `select ${businessColumns}
   from businesses b where b.id = :business_id and ${canReadBusinessSql('b.id')}`,
)

const attachedBusinessById = read<ReadableBusiness>(
  'room_attached_business_readable',
  `select ${businessColumns}
   from room_attachments a join businesses b on b.id = a.resource_id
   where a.workspace_id = :workspace_id and a.room_id = :room_id and a.id = :attachment_id and a.type = 'business' and ${canReadBusinessSql('b.id')}`,
)

const roomsOfPublished = read<{ room_id: string; name: string }>(
  'rooms_of_published_business',
  `with those as (
     select r.id from rooms r where r.workspace_id = :workspace_id and r.business_id = :business_id and r.id > :after
     union
     select a.room_id from room_attachments a
     where a.workspace_id = :workspace_id and a.type = 'business' and a.resource_id = :business_id and a.room_id > :after
   )
   select r.id as room_id, published.name
   from those join rooms r on r.workspace_id = :workspace_id and r.id = those.id
   join published_businesses published on published.id = :business_id
   where r.status = 'active'
   order by r.id limit :limit`,
  'long',
)
