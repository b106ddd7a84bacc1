import { read, type Reader } from '../database/statement.ts'

/** The Rooms of a Workspace that have a published Business and are not archived, with its name as everybody reads it. */
export const roomsToTell = (reader: Reader, workspace_id: string, business_id: string) =>
  reader.many(roomsOfPublished, [workspace_id, business_id])

const roomsOfPublished = read<{ room_id: string; name: string }>(
  'rooms_of_published_business',
  `select r.id as room_id, published.name
   from rooms r join published_businesses published on published.id = $2
   where r.workspace_id = $1 and r.status = 'active'
     and (r.business_id = $2 or exists (
       select from room_attachments a
       where a.workspace_id = $1 and a.room_id = r.id and a.type = 'business' and a.resource_id = $2))
   order by r.id`,
)
